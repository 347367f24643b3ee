import type { Bridge } from '@drawbridge/bridge';
import { type Asker, BridgeError } from '@drawbridge/protocol';
import type { Callers } from '../approvals/callers.ts';
import { isThreadPrompt } from '../approvals/prompt-asker.ts';
import { parseSession, parseStored } from '../core/frames.ts';
import type { Bus, CoreClock, Identity, RelayCore } from '../core/ports.ts';
import type { Devices } from '../devices/devices.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Json } from '../ledger/records.ts';
import type { CallQuota } from '../server/quotas/call-quota.ts';
import { type BrowserThread, createBrowserThread, STEP_MESSAGE, type StepDetails } from './browser-thread.ts';

export interface BrowserThreadsOptions {
  readonly core: Pick<RelayCore, 'connect'>;
  readonly clock: CoreClock;
  readonly ledger: Ledger;
  readonly bus: Pick<Bus, 'onMessage'>;
  readonly devices: Pick<Devices, 'mint' | 'revoke' | 'list' | 'onRevoked'>;
  /** Read when the first call is made: the bridge is created later. */
  readonly bridge: () => Pick<Bridge, 'runtimes' | 'cancelAll'>;
  readonly onError: (error: unknown) => void;
}

export interface LentBrowser {
  readonly device_id: string;
  readonly token: string;
}

/** Sessions of launched agents that may use the lent tabs, each with a separate token. */
export interface BrowserThreads {
  /**
   * A new token for the agent of a session; its last one ends. Undefined unless a person launched it with
   * `browser: true` on this proxy and has not taken the browser back.
   */
  readonly lend: (
    proxy: Identity,
    session_id: string,
    request_id?: string,
  ) => Promise<LentBrowser | undefined>;
  readonly isLent: (session_id: string) => boolean;
  /** CHT-330: refuses the token's next call at once. False when nothing was lent. */
  readonly takeBack: (session_id: string) => boolean;
  readonly takeBackAll: () => void;
  readonly watching: (calls: CallQuota) => CallQuota;
  /** Asks in the session of the agent that made the call; any other question goes to `asker`. */
  readonly asking: (asker: Asker, callers: Pick<Callers, 'deviceOf'>) => Asker;
  /** Settles what a relay that ended left open. */
  readonly restore: () => Promise<void>;
  readonly close: () => void;
}

/** Scope of a token that acts for one session. */
const SCOPE = 'thread:';
const settingOf = (session_id: string): string => `browser_lent:${session_id}`;
/** A step is settled within the events that follow it; an older one was. */
const LOOK_BACK = 500;

export function createBrowserThreads(options: BrowserThreadsOptions): BrowserThreads {
  const { core, clock, ledger, bus, devices, bridge, onError } = options;
  const threads = new Map<string, BrowserThread>();
  /** Devices whose token has ended; the ledger may not know it yet. */
  const ended = new Set<string>();

  const begin = (
    device_id: string,
    session_id: string,
    proxy_device_id: string,
    label: string,
  ): BrowserThread => {
    const thread = createBrowserThread({
      ...{ core, clock, session_id, proxy_device_id, label },
      tabs: () => bridge().runtimes(),
      onInterrupt: () => bridge().cancelAll('A person stopped the agent.', device_id),
    });
    threads.set(device_id, thread);
    return thread;
  };

  const end = (device_id: string, words: string): void => {
    const thread = threads.get(device_id);
    if (thread === undefined) return;
    ended.add(device_id);
    bridge().cancelAll(words, device_id);
    threads.delete(device_id);
    thread.close();
    devices.revoke(device_id, 'machine').catch(onError);
  };

  const deviceIn = (session_id: string): string | undefined =>
    [...threads].find(([, thread]) => thread.session_id === session_id)?.[0];

  const takeBack = (session_id: string, words = TAKEN_BACK): boolean => {
    const device_id = deviceIn(session_id);
    if (device_id === undefined) return false;
    end(device_id, words);
    ledger.commit([{ do: 'put_setting', key: settingOf(session_id), value: null }]).catch(onError);
    return true;
  };

  const isOrdered = async (
    proxy: Identity,
    session_id: string,
    request_id?: string,
  ): Promise<string | undefined> => {
    const known = await ledger.session(session_id);
    if (known !== undefined) {
      const isTheirs = known.proxy_device_id === proxy.device_id && known.closed_at === null;
      const lent = isTheirs && (await ledger.setting(settingOf(session_id)));
      if (!lent) return undefined;
      const { display_name, agent_name, agent_type } = parseSession(known.metadata);
      return display_name ?? agent_name ?? agent_type;
    }
    const launch = (await ledger.pendingLaunches()).find((each) => each.request_id === request_id);
    const isTheirs = launch?.proxy_device_id === proxy.device_id && launch.body['browser'] === true;
    return isTheirs ? String(launch.body['window_title'] ?? launch.body['agent_type']) : undefined;
  };

  const stopListening = bus.onMessage((note) => {
    if (note.kind !== 'appended') return;
    for (const { type, session_id } of note.events) {
      if (type === 'session_closed') takeBack(session_id, 'The session was closed.');
    }
  });
  const stopRevocations = devices.onRevoked((device_id) => {
    for (const [each, { proxy_device_id, session_id }] of [...threads]) {
      if (proxy_device_id === device_id || each === device_id) takeBack(session_id);
    }
  });

  /** Steps under way and open questions of a relay that ended. */
  const settle = async (thread: BrowserThread): Promise<void> => {
    const { session_id } = thread;
    for (const prompt of await ledger.openPrompts()) {
      if (prompt.session_id === session_id && isThreadPrompt(prompt.prompt_id))
        thread.withdraw(prompt.prompt_id);
    }
    const head = (await ledger.heads()).find((each) => each.session_id === session_id)?.head ?? 0;
    const page = await ledger.eventsAfter(session_id, Math.max(0, head - LOOK_BACK), LOOK_BACK);
    const latest = new Map<string, { readonly words: string; readonly details: StepDetails }>();
    for (const { type, payload } of page?.events ?? []) {
      const step = type === 'message_event' ? stepIn(payload['message']) : undefined;
      if (step !== undefined) latest.set(step.message_id, step);
    }
    for (const [message_id, { words, details }] of latest) {
      if (details.status === 'running') thread.interrupted(message_id, words, details);
    }
  };

  return {
    async lend(proxy, session_id, request_id) {
      const name = await isOrdered(proxy, session_id, request_id);
      if (name === undefined) return undefined;
      const last = deviceIn(session_id);
      if (last !== undefined) end(last, 'The agent was started again.');
      const minted = await devices.mint({
        ...{ roles: ['agent'], scopes: [SCOPE + session_id], by: 'machine' },
        label: name.slice(0, MAX_LABEL),
      });
      const { device_id, label } = minted.device;
      const value = { device_id, proxy_device_id: proxy.device_id };
      await ledger.commit([{ do: 'put_setting', key: settingOf(session_id), value }]);
      begin(device_id, session_id, proxy.device_id, label);
      return { device_id, token: minted.token };
    },
    isLent: (session_id) => deviceIn(session_id) !== undefined,
    takeBack: (session_id) => takeBack(session_id),
    takeBackAll() {
      for (const { session_id } of [...threads.values()])
        takeBack(session_id, 'Somebody stopped everything.');
    },
    watching: (calls) => ({
      problem(device_id, call) {
        if (ended.has(device_id)) return new BridgeError('permission_denied', TAKEN_BACK);
        const problem = calls.problem(device_id, call);
        if (problem === undefined) threads.get(device_id)?.began(call);
        return problem;
      },
      answered(device_id, call_id, output, error) {
        threads.get(device_id)?.ended(call_id, error === undefined ? { output } : { error });
        calls.answered(device_id, call_id, output, error);
      },
    }),
    asking: (asker, { deviceOf }) => ({
      ask(question, withdrawn) {
        const thread = threads.get(deviceOf(question.call_id) ?? '');
        return (thread ?? asker).ask(question, withdrawn);
      },
    }),
    async restore() {
      for (const { device_id, scopes, label, revoked_at } of await devices.list()) {
        const session_id = scopes.find((scope) => scope.startsWith(SCOPE))?.slice(SCOPE.length);
        if (session_id === undefined || revoked_at !== null) continue;
        const lent = await ledger.setting(settingOf(session_id));
        const isCurrent =
          typeof lent === 'object' && lent !== null && 'device_id' in lent && lent['device_id'] === device_id;
        const session = await ledger.session(session_id);
        if (!isCurrent || session === undefined || session.closed_at !== null) {
          await devices.revoke(device_id, 'machine');
          continue;
        }
        await settle(begin(device_id, session_id, session.proxy_device_id, label));
      }
    },
    close() {
      stopListening();
      stopRevocations();
      for (const thread of threads.values()) thread.close();
      threads.clear();
    },
  };
}

interface StoredStep {
  readonly message_id: string;
  readonly content: string;
  readonly metadata?: { readonly details?: StepDetails };
}

function stepIn(message: Json | undefined) {
  if (message === undefined) return undefined;
  const { message_id, content, metadata } = parseStored<StoredStep>(message);
  if (!message_id.startsWith(STEP_MESSAGE)) return undefined;
  const details = metadata?.details;
  return details && { message_id, words: content, details };
}

const MAX_LABEL = 80;
const TAKEN_BACK = 'The browser was taken back from this session. Tell the person; do not try again.';
