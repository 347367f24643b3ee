import {
  type Cancellation,
  type CheckResult,
  type Clock,
  createStateSnapshots,
  currentStates,
  diagnose,
  type Evaluator,
  type HandlerRegistry,
  runtimeStatus,
} from '@drawbridge/manifest';
import type { AttachmentEvent } from '@drawbridge/page';
import {
  type ActionCall,
  type Asker,
  BridgeError,
  type BridgeItem,
  bridge,
  type RuntimeReady,
} from '@drawbridge/protocol';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { type HostKind, primitiveByName, primitivesFor } from '@drawbridge/protocol/primitives';
import { answerCall, errorItem, type Receipt } from '../call/answer-call.ts';
import { type Actor, runOpened } from '../call/declared-call.ts';
import type { Desk } from '../call/desk.ts';
import { pinOrigin } from '../call/origin-pin.ts';
import { createCancellation, withinTime } from '../call/turn.ts';
import { createGatekeeper } from '../grants/gatekeeper.ts';
import type { GrantBook } from '../grants/grant-book.ts';
import { effectOfTool } from '../grants/tool-effect.ts';
import type { HostEvent, SurfaceHost, SurfaceNotice } from '../host.ts';
import { type MapChoice, type MapSource, trustOf, UNKNOWN_YET } from '../maps/map-source.ts';
import { createTransferStore } from '../primitives/transfer-store.ts';
import { type AttachmentNeed, createAttachmentDesk } from './attachment-desk.ts';
import { createCheckDesk } from './check-desk.ts';
import { type CheckEvidence, gatherEvidence } from './check-evidence.ts';
import { createDocuments } from './documents.ts';
import { createCoalesced, createLane } from './lanes.ts';
import { createPageAgentDesk } from './page-agent-desk.ts';
import { extractorOf, probeOf } from './page-eyes.ts';
import { createSignalDesk } from './signal-desk.ts';
import { createWebToolDesk } from './web-tool-desk.ts';

export interface RuntimeOptions {
  readonly runtimeId: string;
  readonly host: SurfaceHost;
  readonly maps: MapSource;
  readonly grants: GrantBook;
  readonly asker: Asker;
  readonly evaluator: Evaluator;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly send: (item: BridgeItem) => void;
  /** The approval under which this tab was lent. */
  readonly authorizationId?: string;
  readonly handlers?: HandlerRegistry;
  /** Registers the map's tools with the page, for an agent of its own (WebMCP). Off unless asked for. */
  readonly offerToPage?: boolean;
  /** Takes what a failed check declares as its evidence. */
  readonly storeEvidence?: (evidence: CheckEvidence) => void | Promise<void>;
}

/** One lent surface on its connection: it announces itself, answers calls, and reports what the page does. */
export interface Runtime {
  readonly runtimeId: string;
  readonly receive: (item: unknown) => void;
  /** For a connection that begins anew: says again what is there. */
  readonly announce: () => void;
  /** Which map applies now, and why it does. */
  readonly map: () => MapChoice;
  readonly signals: { readonly choose: (name: string, enabled: boolean) => void };
  readonly close: () => Promise<void>;
}

/** How often a runtime says that it is there, and what it is. */
export const HEARTBEAT_MS = 10_000;

/** What we understand beyond the six items. */
const FEATURES = ['action_cancel', 'action_progress', 'runtime_probe'] as const;

/** Outside the page: a call goes on there when the document or the connection does not. */
const OUTLIVES_ITS_DOCUMENT: readonly HostKind[] = ['cdp', 'extension'];

export function createRuntime(options: RuntimeOptions): Runtime {
  const { runtimeId, host, maps, grants, asker, evaluator, clock, newId } = options;
  const now = clock.now;
  const probe = probeOf(host);
  const extractor = extractorOf(host);
  const documents = createDocuments(host);
  const gatekeeper = createGatekeeper({ grants, asker, now, newId });
  const inTurn = createLane();
  const running = new Map<string, { readonly cancel: () => void; readonly done: Promise<void> }>();
  const webTools = createWebToolDesk(host, options.handlers);
  let mapped: MapChoice = UNKNOWN_YET;
  let choice: MapChoice = UNKNOWN_YET;
  let states: ReadonlySet<string> = new Set();
  let announced = false;
  let lastStatus = '';
  let acting: string | undefined;
  let actedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> = Promise.resolve();
  let generation = 0;
  let closed = false;
  let closing: Promise<void> | undefined;
  const stopHeart = createCancellation();

  /** A connection that cannot take an item now has lost it: the bridge ends the call in its own time. */
  const send = (item: BridgeItem): void => {
    if (closed) return;
    try {
      options.send(item);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
    }
  };
  const report = (error: unknown): void => send(errorItem(error, { runtime_id: runtimeId }));

  const checks = createCheckDesk({
    probe,
    now,
    store: (result, names) => refresh(() => keepEvidence(result, names)),
    handOver: (checkId, message) => void handOver(checkId, message),
  });
  const signals = createSignalDesk({
    runtimeId,
    newId,
    now,
    place: () => ({ url: host.surface().url, states }),
    actingCall: () => acting,
    send,
  });
  const attachments = createAttachmentDesk(host, meet);
  const desk: Desk = {
    runtimeId,
    host,
    map: () => choice,
    loaded: async () => {
      if (!documents.present()) await documents.next();
      await loading;
    },
    gatekeeper,
    evaluator,
    clock,
    handlers: webTools.handlers,
    probe,
    extractor,
    snapshots: createStateSnapshots(),
    stores: { transfer: createTransferStore(now) },
    check: () => (choice.offer.ready ? checks.run(choice.offer.map) : Promise.resolve([])),
    memory: { ledger: new Map() },
    nextDocument: documents.next,
    tellProgress: (call_id, step) => send({ type: 'action_progress', call_id, runtime_id: runtimeId, step }),
  };
  const pageAgent = createPageAgentDesk({ host, desk, clock, cancellation: stopHeart.cancellation, inTurn });

  async function keepEvidence(result: CheckResult, names: readonly string[]): Promise<void> {
    const { check_id, url, observed_at, evidence: findings } = result;
    const stored = await gatherEvidence(names, host);
    await options.storeEvidence?.({ check_id, url, observed_at, findings, stored });
  }

  async function handOver(checkId: string, message: string): Promise<void> {
    const { url } = host.surface();
    const question = {
      question_id: newId(),
      runtime_id: runtimeId,
      call_id: `check-${checkId}`,
      origin: URL.canParse(url) ? new URL(url).origin : 'null',
      name: 'handoff_to_user',
      kind: 'handover' as const,
      effect: 'act' as const,
      sentence: message,
      data: [],
      call_hash: newId(),
      expires_at: now() + HAND_OVER_MS,
    };
    await asker.ask(question, stopHeart.cancellation).catch(report);
  }

  /** What an attachment needs done beyond the page. */
  function meet(need: AttachmentNeed): void {
    if (need.type === 'signal') signals.tell(need.name, need.payload);
    else if (need.type === 'run_tool') void openFor(need.tool, need.arguments, whoPressed());
    else if (need.type === 'prompt_person') void handOver(need.id, need.message);
    else {
      const code = need.type === 'drift' ? 'drift_detected' : 'invalid_result';
      report(new BridgeError(code, need.message, { evidence: { attachment: need.id } }));
    }
  }

  /** The browser takes an agent's press for a person's too: only we know whose it was. */
  const whoPressed = (): Actor =>
    acting !== undefined || now() - actedAt < AFTER_AN_ACT_MS ? 'agent' : 'person';

  async function openFor(tool: string, args: Readonly<Record<string, unknown>>, actor: Actor): Promise<void> {
    const pin = pinOrigin(host, tool);
    const work = () =>
      withinTime(OPENED_MS, clock, stopHeart.cancellation, (turn) =>
        runOpened(tool, { ...args }, actor, desk, { ...turn, pin }),
      );
    await inTurn(work).catch(report);
  }

  /** The map for where the page is now; a page that is left before it is loaded gets no announcement. */
  async function load(): Promise<void> {
    const mine = ++generation;
    const { url } = host.surface();
    const isOver = () => closed || mine !== generation || host.surface().url !== url;
    const found = await maps.mapFor(url);
    if (isOver()) return;
    await webTools.refresh();
    if (isOver()) return;
    mapped = found;
    choice = webTools.addTo(mapped);
    if (choice.offer.ready) await prepare(choice.offer.map);
    if (isOver()) return;
    announce();
    if (options.offerToPage === true) await pageAgent.offer(choice);
    await tellStatus(true);
  }

  /** Everything that the map has on the page, before anybody is told that it can be used. */
  async function prepare({
    signals: declared = [],
    attachments: wanted = [],
    ...rest
  }: Manifest): Promise<void> {
    announced = false;
    signals.start(declared);
    await host.callPage('listenForSignals', [declared]);
    await attachments.start(wanted);
    await checks.run({ ...rest, signals: declared, attachments: wanted });
  }

  function announce(): void {
    const { url, title } = host.surface();
    const ready: RuntimeReady = {
      type: 'runtime_ready',
      runtime_id: runtimeId,
      runtime_key: host.runtimeKey,
      url,
      title,
      host: URL.canParse(url) ? new URL(url).host : '',
      capabilities: primitivesFor(host.kind).map(({ name }) => name),
      features: [...FEATURES, ...(OUTLIVES_ITS_DOCUMENT.includes(host.kind) ? ['resume'] : [])],
      ...(options.authorizationId && { authorization_id: options.authorizationId }),
      ...(choice.offer.ready && { manifest: asAnnounced(choice.offer.map, choice) }),
    };
    send(ready);
    announced = true;
    if (!choice.offer.ready) {
      report(
        new BridgeError(
          'runtime_not_ready',
          'The map of this page is not valid, so none of its tools can be called. Correct it: it is read again at once.',
          {
            evidence: {
              errors: choice.offer.errors.slice(0, 5),
              ...(choice.address && { map: choice.address }),
            },
          },
        ),
      );
    }
  }

  async function tellStatus(always = false): Promise<void> {
    if (!announced) return;
    const declared = choice.offer.ready ? (choice.offer.map.states ?? []) : [];
    const diagnoses = await diagnose(
      declared,
      declared.map(({ name }) => name),
      probe,
    );
    states = currentStates(diagnoses);
    const status = runtimeStatus(diagnoses, {
      runtimeId,
      url: host.surface().url,
      now: now(),
      attachments: attachments.status(),
    });
    const said = JSON.stringify([status.url, status.states, status.attachments]);
    if (!always && said === lastStatus) return;
    lastStatus = said;
    send(status);
  }

  const refresh = (work: () => Promise<void>): void => {
    // A document that leaves meanwhile is no error: the next one is looked at again.
    void work().catch((error: unknown) => {
      if (!closed && !documents.left(error)) report(error);
    });
  };

  function reload(): void {
    loading = load().catch((error: unknown) => {
      if (!closed && !documents.left(error)) report(error);
    });
  }

  /** What the map of one document declares is not called on the next. */
  function forget(): void {
    generation++;
    mapped = UNKNOWN_YET;
    choice = UNKNOWN_YET;
    announced = false;
  }

  function hearHost(event: HostEvent): void {
    if (event.kind === 'left') forget();
    else if (event.kind === 'ready') {
      forget();
      reload();
    } else if (event.kind === 'moved') followMove();
    else if (event.kind === 'notice') refresh(() => hearNotice(event.notice));
    else if (event.kind === 'closed') void close();
  }

  /** The same document at another address may fall under another map. */
  async function moved(): Promise<void> {
    if (!announced) return reload();
    const found = await maps.mapFor(host.surface().url);
    if (found.address !== choice.address) return reload();
    announce();
    return tellStatus();
  }

  /** A page may change its address or title as often as it likes: a few times a second is enough to tell. */
  const followMove = createCoalesced(async () => {
    if (!closed) refresh(moved);
    await clock.sleep(MOVES_APART_MS, stopHeart.cancellation);
  });

  /** The page has registered other tools: what can be called is announced anew. */
  async function relist(): Promise<void> {
    if (!(await webTools.refresh()) || !announced) return;
    choice = webTools.addTo(mapped);
    announce();
  }

  async function hearNotice(notice: SurfaceNotice): Promise<void> {
    if (notice.type === 'webtools') return relist();
    if (notice.type === 'webtool_call')
      return options.offerToPage === true ? pageAgent.answer(notice) : undefined;
    if (notice.type === 'signal') signals.hear(notice);
    else if (isAboutAttachment(notice)) await attachments.hear(notice, states);
    else return;
    await tellStatus();
  }

  function receive(item: unknown): void {
    let read: BridgeItem;
    try {
      read = bridge.read(item);
    } catch (error) {
      send(errorItem(error, { runtime_id: runtimeId, ...callIdOf(item) }));
      return;
    }
    if (read.type === 'action_call') take(read);
    else if (read.type === 'action_cancel') running.get(read.call_id)?.cancel();
    else if (read.type === 'runtime_probe') {
      send({ type: 'runtime_probe_result', runtime_id: runtimeId, probe_id: read.probe_id, state: 'awake' });
    }
  }

  function take(call: ActionCall): void {
    if (running.has(call.call_id)) {
      send(
        errorItem(new BridgeError('invalid_input', `The call ${call.call_id} is already running here.`), {
          runtime_id: runtimeId,
        }),
      );
      return;
    }
    const { cancellation, turn: cancel } = createCancellation();
    const receipt = { pin: pinOrigin(host, call.name), receivedAt: now() };
    running.set(call.call_id, { cancel, done: answer(call, cancellation, receipt) });
  }

  async function answer(call: ActionCall, cancellation: Cancellation, receipt: Receipt): Promise<void> {
    const looks = looksOnly(call.name);
    const answering = () => answerCall(call, desk, cancellation, receipt);
    try {
      send(await (looks ? answering() : inTurn(() => actingAs(call.call_id, answering))));
    } finally {
      running.delete(call.call_id);
    }
    if (!looks) refresh(() => tellStatus());
  }

  async function actingAs<Result>(callId: string, work: () => Promise<Result>): Promise<Result> {
    acting = callId;
    try {
      return await work();
    } finally {
      acting = undefined;
      actedAt = now();
    }
  }

  function looksOnly(name: string): boolean {
    const primitive = primitiveByName(name);
    if (primitive !== undefined) return primitive.effect === 'read';
    const tool = choice.offer.ready ? choice.offer.map.tools.find((one) => one.name === name) : undefined;
    return (
      tool !== undefined &&
      effectOfTool(tool, trustOf(choice, name)) === 'read' &&
      tool.workflow === undefined
    );
  }

  async function beat(): Promise<void> {
    while (closing === undefined) {
      await clock.sleep(HEARTBEAT_MS, stopHeart.cancellation);
      if (closing === undefined) refresh(() => tellStatus(true));
    }
  }

  /** Calls that still run end with an answer of their own first. */
  function close(): Promise<void> {
    closing ??= (async () => {
      stopHeart.turn();
      stopHearing();
      stopMaps();
      documents.close();
      for (const { cancel } of running.values()) cancel();
      await Promise.all([...running.values()].map(({ done }) => done));
      closed = true;
    })();
    return closing;
  }

  const stopHearing = host.onEvent(hearHost);
  const stopMaps = maps.onChange(reload);
  if (documents.present()) reload();
  void beat();
  const again = () => {
    if (!announced) return;
    announce();
    refresh(() => tellStatus(true));
  };
  return {
    runtimeId,
    receive,
    announce: again,
    map: () => choice,
    signals: { choose: signals.choose },
    close,
  };
}

/** Others, such as a recorder's, are for whoever asked for them. */
function isAboutAttachment(notice: SurfaceNotice): notice is AttachmentEvent {
  return ['observed', 'installed', 'install_failed', 'removed', 'detached', 'activated'].includes(
    notice.type,
  );
}

/** As agents see it: what a tool may do is our verdict, not the map's word. */
function asAnnounced(map: Manifest, choice: MapChoice): Manifest {
  const tools = map.tools.map((tool) => {
    const effect = effectOfTool(tool, trustOf(choice, tool.name));
    return { ...tool, x_actions: { ...tool.x_actions, effect } };
  });
  return { ...map, tools };
}

const HAND_OVER_MS = 10 * 60_000;
const OPENED_MS = 60_000;
const MOVES_APART_MS = 250;
/** What a press sets off may come a moment after the call that pressed is over. */
const AFTER_AN_ACT_MS = 1_000;

function callIdOf(item: unknown): { call_id?: string } {
  const id = typeof item === 'object' && item !== null && 'call_id' in item ? item.call_id : undefined;
  return typeof id === 'string' && id !== '' ? { call_id: id } : {};
}
