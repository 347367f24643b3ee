import { systemClock as linkClock } from '@drawbridge/link';
import { BridgeError } from '@drawbridge/protocol';
import { createInteractDecider, createTabSessions, createTabTasks } from '../interact/index.ts';
import { createCamera } from '../tabs/picture.ts';
import { createDebuggerInput } from '../trusted/debugger-input.ts';
import { type PanelCommand, type Settings, STORED, type WorkerState } from '../wire.ts';
import { isStoreBuild } from './build-mode.ts';
import { createFrontTabs } from './front-tabs.ts';
import { openGrants } from './grants.ts';
import { LentTabs } from './lent-tabs.ts';
import { createOffscreenEvaluator } from './offscreen-evaluator.ts';
import { pairWith, unpairFrom } from './pairing.ts';
import { hashPicture } from './picture-hash.ts';
import { relayMaps } from './relay-maps.ts';
import { watchRelay } from './relay-state.ts';
import { sessionValues } from './session-values.ts';
import { askingBook, refusalAt } from './site-rules.ts';
import { openAddresses } from './stored-addresses.ts';
import { limitStorage, openStoredValue } from './stored-value.ts';
import { parsePairing, parseSettings } from './stored-values.ts';
import { openTaskServer } from './task-server.ts';
import type { WorkerWords } from './words/en.ts';
import { personError, whyFor, workerWords } from './words/worker-words.ts';

/** Everything of the worker after its storage has been read. */
export interface WorkerCore {
  readonly tabs: LentTabs;
  readonly words: () => WorkerWords;
  readonly state: () => WorkerState;
  readonly run: (command: PanelCommand) => Promise<void>;
  readonly refreshFront: () => Promise<void>;
  readonly probeRelay: () => Promise<void>;
  /** A tab is lent or a task runs: Chrome should restart the worker. */
  readonly isNeeded: () => boolean;
}

const POINTED_MS = 2_000;

/** `onWords`: called when the language has changed. */
export async function openWorkerCore(
  onChange: () => void,
  onWords: (words: WorkerWords) => void,
): Promise<WorkerCore> {
  await limitStorage();
  const [pairing, settings, grants, { controlPlane, localNetwork }] = await Promise.all([
    openStoredValue('local', STORED.pairing, parsePairing),
    openStoredValue('local', STORED.settings, parseSettings),
    openGrants(),
    openAddresses(),
  ]);
  const knowRelay = () => {
    const paired = pairing.get();
    if (paired !== null) controlPlane.learn([new URL(paired.url).host]);
  };
  knowRelay();
  const words = () => workerWords(settings.get().language, navigator.language);
  grants.onChange(onChange);
  const maps = relayMaps(() => (isStoreBuild() ? null : pairing.get()));
  const storage = sessionValues();
  const sessions = createTabSessions(storage);
  let sessionsNow: Readonly<Record<number, string>> = await sessions.all();
  const front = createFrontTabs(onChange, controlPlane);

  const decider = () => {
    const paired = pairing.get();
    if (paired === null) throw personError('unauthorized', 'not_paired');
    return createInteractDecider({
      url: paired.url,
      token: paired.token,
      clock: linkClock,
      fetch: askNetwork,
    });
  };
  const tasks = createTabTasks({
    callOf: (tabId) => tabs.served(tabId)?.call,
    deciderOf: decider,
    sessions: {
      ...sessions,
      use: async (tabId, sessionId) => {
        await sessions.use(tabId, sessionId);
        sessionsNow = await sessions.all();
        onChange();
      },
    },
    storage,
    clock: linkClock,
    newId: () => crypto.randomUUID(),
    semantic: () => settings.get().semantic,
    hashPicture,
    onChange,
    onEvent: ({ taskId, from }, event) => {
      if (from === 'server') taskServer.report(taskId, event);
    },
  });

  const relay = watchRelay(
    pairing.get,
    () => tabs.all().flatMap((served) => served.line()?.state() ?? []),
    onChange,
    words,
  );
  const tabs: LentTabs = await LentTabs.open({
    grants: askingBook(grants, settings.get),
    maps,
    evaluator: createOffscreenEvaluator(),
    camera: createCamera(Date.now, (ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    pairing: pairing.get,
    refusal: (url) => refusalAt(url, settings.get()),
    controlPlane,
    localNetwork,
    debuggerInput: debuggerInput(),
    words,
    onChange,
    onLineLost: () => void relay.probe().then(() => (relay.isThere() ? tabs.reconnect() : undefined)),
    onGone: (tabId, how) => void tasks[how](tabId).catch(() => undefined),
  });
  const taskServer = openTaskServer({
    tasks,
    pickTab: () => {
      const lent = tabs.hosts();
      return (lent.find((host) => host.surface().active) ?? lent[0])?.tabId;
    },
    onChange,
    words,
  });
  taskServer.use(settings.get());
  void tasks.restore();

  const requireLent = (tabId: number) => {
    const served = tabs.served(tabId);
    if (served === undefined) throw personError('runtime_not_found', 'runtime_not_found');
    return served;
  };
  const repair = async (next: ReturnType<typeof pairing.get>) => {
    await pairing.set(next);
    knowRelay();
    await sessions.clear();
    sessionsNow = {};
    await tabs.connectAll();
    maps.changed();
    void relay.probe();
    onChange();
  };
  const set = async (next: Settings) => {
    const before = words();
    await settings.set(parseSettings(next));
    taskServer.use(settings.get());
    if (words() !== before) {
      onWords(words());
      await tabs.rename();
    }
    onChange();
  };

  const commands: {
    readonly [Do in PanelCommand['do']]: (command: Extract<PanelCommand, { do: Do }>) => Promise<unknown>;
  } = {
    pair: async ({ link, name }) => {
      const before = pairing.get();
      const paired = await pairWith(link, name ?? 'Chrome');
      await repair(paired);
      if (before !== null) await unpairFrom(before);
    },
    unpair: async () => {
      const before = pairing.get();
      await repair(null);
      if (before !== null) await unpairFrom(before);
    },
    lend: ({ tabId, trusted = false }) => tabs.lend(tabId, { trusted }),
    release: ({ tabId }) => tabs.release(tabId),
    show: async ({ tabId, elementId }) => {
      const { host } = requireLent(tabId);
      if (!(await host.point(elementId))) throw personError('target_not_found', 'element_gone');
      setTimeout(() => void host.unpoint().catch(() => undefined), POINTED_MS);
    },
    start_task: ({ tabId, query }) => tasks.start({ tabId, query, from: 'panel' }),
    say: ({ tabId, text }) => tasks.sendMessage(tabId, text),
    stop: ({ tabId }) => tasks.stop(tabId),
    pause: ({ tabId }) => tasks.pause(tabId),
    resume: ({ tabId }) => tasks.resume(tabId),
    take_over: ({ tabId }) => tasks.takeOver(tabId),
    hand_back: ({ tabId }) => tasks.resumeAgent(tabId),
    use_session: async ({ tabId, sessionId }) => {
      await sessions.use(tabId, sessionId);
      sessionsNow = await sessions.all();
      onChange();
    },
    revoke_grant: async ({ grantId }) => {
      if (!grants.revoke(grantId)) throw personError('target_not_found', 'grant_gone');
    },
    set: ({ settings: next }) => set(next),
  };
  const table: ReadonlyMap<string, unknown> = new Map(Object.entries(commands));

  return {
    tabs,
    words,
    state: () => ({
      relay: relay.state(),
      tabs: tabs.view(),
      front: front.view(words()),
      tasks: tasks.tasks(),
      sessions: sessionsNow,
      taskServer: taskServer.state(),
      grants: grants.list(),
      settings: settings.get(),
    }),
    async run(command) {
      const handle = table.get(command.do);
      if (typeof handle !== 'function') throw new BridgeError('invalid_input', `There is no ${command.do}.`);
      const done: Promise<unknown> = Reflect.apply(handle, undefined, [command]);
      await done.catch((error: unknown) => {
        throw new Error(whyFor(words(), error), { cause: error });
      });
    },
    refreshFront: front.refresh,
    probeRelay: relay.probe,
    isNeeded: () =>
      tabs.all().length > 0 ||
      settings.get().taskServer.on ||
      Object.values(tasks.tasks()).some(({ endedAt }) => endedAt === undefined),
  };
}

/** `fetch` must be called as a method of the worker's global scope. */
const askNetwork: typeof fetch = (...asked) => fetch(...asked);

const debuggerInput = () => (isStoreBuild() ? undefined : createDebuggerInput);
