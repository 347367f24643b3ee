import { RecentMap } from '@drawbridge/base';
import type { Bridge, CallRequest, RuntimeView } from '@drawbridge/bridge';
import { auditWrite, type Ledger, type SessionRecord } from '@drawbridge/ledger';
import { type Asker, BridgeError } from '@drawbridge/protocol';
import type { AuditAction } from '@drawbridge/protocol/http';
import { isAgentSession } from '../approvals/prompt-asker.ts';
import { trustSession } from '../core/frames.ts';
import type { CoreClock, Identity, RelayCore } from '../core/ports.ts';
import { LENDING_PROMPT } from '../core/prompt.ts';
import type { Devices } from '../devices/devices.ts';
import type { CallQuota } from '../server/quotas/call-quota.ts';
import { createAgentHolds } from './agent-holds.ts';
import {
  STOPPED as AGENT_STOPPED,
  type BrowserThread,
  type BrowserThreadOptions,
  createBrowserThread,
  type DoneStep,
  isAt,
  urlOf,
} from './browser-thread.ts';
import { createInboxes } from './inboxes.ts';
import { createLendings, type Lending } from './lending.ts';
import { createLendingQuestions, type Speaker } from './lending-question.ts';
import { CLOSED, createOwnThreads, type OpenOptions } from './own-threads.ts';
import { createTakeovers, type Takeovers } from './takeovers.ts';
import { isSaving, savedIn, type ThreadFiles } from './thread-files.ts';
import { settleThread } from './thread-recovery.ts';

export interface BrowserThreadsOptions {
  readonly core: Pick<RelayCore, 'connect' | 'onAgentStopped' | 'onEvents' | 'onLaunched'>;
  readonly clock: CoreClock;
  readonly ledger: Ledger;
  readonly devices: Pick<Devices, 'mint' | 'revoke' | 'list' | 'onRevoked'>;
  /** Read when the first call is made: the bridge is created later. */
  readonly bridge: () => Pick<Bridge, 'runtimes' | 'cancelAll'>;
  readonly files: ThreadFiles;
  readonly picture: BrowserThreadOptions['picture'];
  readonly onError: (error: unknown) => void;
}

export interface LentBrowser {
  readonly device_id: string;
  readonly token: string;
}

/** The tabs that the agent of a session may use now. */
export interface SeenLending {
  readonly origins: readonly string[] | undefined;
  readonly tabs: readonly RuntimeView[];
  /** The tab of its last call, while it is there. */
  readonly tab: RuntimeView | undefined;
  /** An agent that came by itself. */
  readonly isOwn: boolean;
  /** A person stopped it. */
  readonly isStopped: boolean;
  /** Name of the person who works there in its place. */
  readonly pausedBy: string | undefined;
}

/** Sessions of agents that use the lent tabs. Agents of a proxy have a separate token each. */
export interface BrowserThreads extends Takeovers {
  /**
   * A new token for the agent of a session; its last one ends. Asks the person in the session if nobody has
   * decided yet. Undefined unless the session is open and the proxy's.
   */
  readonly lend: (
    proxy: Identity,
    session_id: string,
    signal: AbortSignal,
  ) => Promise<LentBrowser | { readonly refused: string } | undefined>;
  /** Undefined where nothing is lent. */
  readonly seen: (session_id: string) => SeenLending | undefined;
  /** Whether a person has decided about the agent of a session. */
  readonly isDecided: (session_id: string) => boolean;
  /** CHT-362: a person lends the tabs to the agent of a session. */
  readonly allow: (person: Identity, session_id: string, origins?: readonly string[]) => Promise<void>;
  /** CHT-334: false for a tab at an origin that the person did not choose. */
  readonly maySee: (device_id: string | undefined, url: string) => boolean;
  /** CHT-334: what the person chose for the agent of this device. */
  readonly originsOf: (device_id: string | undefined) => readonly string[] | undefined;
  /** CHT-330: refuses the token's next call at once. False when nothing was lent. */
  readonly takeBack: (person: Identity, session_id: string) => Promise<boolean>;
  readonly takeBackAll: () => void;
  readonly watching: (calls: CallQuota) => CallQuota;
  /** Asks in the session of the agent that made the call; any other question goes to `asker`. */
  readonly asking: (asker: Asker) => Asker;
  /** Writes into the session of the agent that made a pending call. */
  readonly recorderOf: (call_id: string) => BrowserThread['record'] | undefined;
  /** An agent without a launched session, which gets a conversation with its first call (CHT-342). */
  readonly meet: (identity: Identity) => void;
  /** A connection has called; `left` follows when it closes. */
  readonly joined: (device_id: string, client: string | undefined, link: object) => void;
  readonly left: (link: object) => void;
  /** Messages of people to the agent of a pending call; each is returned once. */
  readonly messagesFor: (call_id: string) => readonly string[];
  /** Settles what a relay that ended left open. */
  readonly restore: () => Promise<void>;
  readonly close: () => void;
}

/** Scope of a token that acts for one session. */
const SCOPE = 'thread:';

export function createBrowserThreads(options: BrowserThreadsOptions): BrowserThreads {
  const { core, clock, ledger, devices, bridge, files, picture, onError } = options;
  /** Threads of launched agents, by device. */
  const threads = new Map<string, BrowserThread>();
  /** By pending call. */
  const callers = new Map<string, BrowserThread>();
  /** Calls under way of launched agents. */
  const calling = new RecentMap<string, CallRequest>(MAX_CALLS);
  /** Devices whose token has ended; the ledger may not know it yet. */
  const ended = new Set<string>();
  const holds = createAgentHolds(ledger, core, onError);
  const inboxes = createInboxes(ledger);

  const audit = async (
    device_id: string | null,
    action: AuditAction,
    subject: string,
    detail: Readonly<Record<string, string | undefined>>,
  ): Promise<void> => {
    await ledger.commit([auditWrite({ at: clock.now(), device_id, action, subject }, detail)]);
  };
  /** CHT-363 */
  const auditStep =
    (device_id: string, session_id: string, agent: string) =>
    (step: DoneStep): void => {
      audit(device_id, 'browser_step', session_id, { agent, ...step }).catch(onError);
    };
  const agentIn = async (session_id: string): Promise<string | undefined> => {
    const session = await ledger.session(session_id);
    return session && labelIn(session);
  };

  /** A thread whose steps are audited. */
  const open = (device_id: string, more: OpenOptions): BrowserThread => {
    const { session_id, label } = more;
    return createBrowserThread({
      ...{ core, clock, holds, picture, onError },
      tabs: () => bridge().runtimes(),
      onStep: auditStep(device_id, session_id, label),
      messages: inboxes.get(session_id),
      onMessages: (messages) => inboxes.set(session_id, messages),
      ...more,
    });
  };
  /** Speaks in a session whose agent has no token. */
  const voiceIn = ({ session_id, proxy_device_id, label }: Speaker): BrowserThread =>
    createBrowserThread({
      ...{ core, clock, session_id, proxy_device_id, label, holds, onError },
      ...{ tabs: () => [], onInterrupt: () => {} },
    });
  const own = createOwnThreads({ ledger, bridge, inboxes, holds, open, onError });
  const lendings = createLendings(ledger, onError);
  const questions = createLendingQuestions({
    clock,
    tabs: () => bridge().runtimes(),
    open: voiceIn,
  });

  const begin = (
    device_id: string,
    session_id: string,
    proxy_device_id: string,
    { label, origins }: { readonly label: string; readonly origins: readonly string[] | undefined },
  ): BrowserThread => {
    const thread = open(device_id, {
      ...{ session_id, proxy_device_id, label, origins },
      onInterrupt: (words) => bridge().cancelAll(words, device_id),
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

  /** CHT-336 */
  const keepSaved = async (
    thread: BrowserThread,
    device_id: string,
    call: CallRequest,
    output: unknown,
  ): Promise<void> => {
    const found = isSaving(output) ? await files.late(call, device_id).catch(() => []) : savedIn(output);
    for (const saved of found) {
      const { name, attachment_id } = saved;
      await files.keep(thread, saved, call, device_id).then(
        (file) => thread.saved(attachment_id, file),
        (error: unknown) => thread.notSaved(attachment_id, name, error),
      );
    }
  };

  const deviceIn = (session_id: string): string | undefined =>
    [...threads].find(([, thread]) => thread.session_id === session_id)?.[0];

  const of = (session_id: string): BrowserThread | undefined =>
    threads.get(deviceIn(session_id) ?? '') ?? own.all().find((thread) => thread.session_id === session_id);

  const takeBack = (session_id: string, words = TAKEN_BACK): boolean => {
    questions.withdraw(session_id);
    const device_id = deviceIn(session_id);
    const lending = lendings.get(session_id);
    if (device_id === undefined && lending?.lent !== true) {
      const thread = of(session_id);
      thread?.stop();
      return thread !== undefined;
    }
    if (device_id !== undefined) end(device_id, words);
    holds.endPause(session_id);
    lendings.set(session_id, { ...origins(lending), lent: false });
    return true;
  };

  const closed = (session_id: string): void => {
    if (isAgentSession(session_id)) {
      own.closed(session_id);
      return;
    }
    takeBack(session_id, CLOSED);
    lendings.set(session_id, undefined);
    holds.resume(session_id);
    inboxes.set(session_id, []).catch(onError);
  };

  /** A new token; undefined if a person takes the browser back before it is minted. */
  const mint = async (
    proxy: Identity,
    session_id: string,
    label: string,
  ): Promise<LentBrowser | undefined> => {
    const lending = lendings.get(session_id);
    const last = deviceIn(session_id);
    if (last !== undefined) end(last, 'The agent was started again.');
    const minted = await devices.mint({
      ...{ roles: ['agent'], scopes: [SCOPE + session_id], by: 'machine' },
      label: label.slice(0, MAX_LABEL),
    });
    const { device_id } = minted.device;
    if (lending?.lent !== true || lendings.get(session_id) !== lending) {
      await devices.revoke(device_id, 'machine');
      return undefined;
    }
    lendings.set(session_id, { ...lending, device_id });
    begin(device_id, session_id, proxy.device_id, { label, origins: lending.origins });
    return { device_id, token: minted.token };
  };

  const stopListening = core.onEvents(['session_closed'], ({ session_id }) => closed(session_id));
  const stopStops = core.onAgentStopped((session_id) => {
    const thread = of(session_id);
    questions.withdraw(session_id);
    if (thread !== undefined) thread.stop();
    else holds.stop(session_id);
  });
  const stopLaunches = core.onLaunched((session_id, { browser, browser_origins }) => {
    if (browser === undefined) return;
    lendings.set(session_id, { lent: browser, ...(browser_origins && { origins: browser_origins }) });
  });
  const stopRevocations = devices.onRevoked((device_id) => {
    own.revoked(device_id);
    for (const [each, { proxy_device_id, session_id }] of [...threads]) {
      if (proxy_device_id === device_id || each === device_id) takeBack(session_id);
    }
  });

  /** Nobody awaits their answers any more. */
  const withdrawLendingQuestions = async (): Promise<void> => {
    for (const { prompt_id, session_id } of await ledger.openPrompts()) {
      if (!prompt_id.startsWith(LENDING_PROMPT)) continue;
      const proxy_device_id = (await ledger.session(session_id))?.proxy_device_id ?? '';
      const voice = voiceIn({ session_id, proxy_device_id, label: '' });
      voice.withdraw(prompt_id);
      voice.close();
    }
  };

  const takeovers = createTakeovers({
    ...{ clock, holds, inboxes },
    all: () => [...threads.values(), ...own.all()],
    isLent: (session_id) => of(session_id) !== undefined || lendings.get(session_id)?.lent === true,
    async voiceIn(session_id) {
      const proxy_device_id = (await ledger.session(session_id))?.proxy_device_id ?? '';
      return voiceIn({ session_id, proxy_device_id, label: '' });
    },
    audit: async ({ device_id }, action, session_id) =>
      audit(device_id, action, session_id, { agent: await agentIn(session_id) }),
  });

  return {
    async lend(proxy, session_id, signal) {
      const session = await ledger.session(session_id);
      const isTheirs = session?.proxy_device_id === proxy.device_id && session.closed_at === null;
      if (session === undefined || !isTheirs) return undefined;
      const label = labelIn(session);
      if (holds.isStopped(session_id)) return { refused: AGENT_STOPPED };
      if (lendings.get(session_id) === undefined) {
        if (bridge().runtimes().length === 0) return { refused: NO_TAB };
        const { decision, by } = await questions.ask(
          { session_id, proxy_device_id: proxy.device_id, label },
          signal,
        );
        // A person may have used the switch while the question was open.
        const isOpen = lendings.get(session_id) === undefined && by !== 'nobody';
        if (isOpen) lendings.set(session_id, { lent: decision !== 'deny' });
        if (lendings.get(session_id) === undefined) return { refused: NOBODY_ANSWERED };
      }
      if (lendings.get(session_id)?.lent !== true) return { refused: NOT_LENT };
      return (await mint(proxy, session_id, label)) ?? { refused: NOT_LENT };
    },
    seen(session_id) {
      const lending = lendings.get(session_id);
      const thread = of(session_id);
      const isStopped = holds.isStopped(session_id);
      const pausedBy = holds.pausedBy(session_id);
      if (thread !== undefined) {
        const { origins, isOwn } = thread;
        return { origins, isOwn, isStopped, pausedBy, tabs: thread.tabs(), tab: thread.tab() };
      }
      // After a restart an agent that came by itself has no thread, and a person still lets it go on.
      const isOwn = isAgentSession(session_id);
      const isHeld = isOwn && (isStopped || pausedBy !== undefined);
      if (lending?.lent !== true && !isHeld) return undefined;
      const origins = lending?.origins;
      const tabs = bridge()
        .runtimes()
        .filter((tab) => isAt(urlOf(tab), origins));
      return { origins, tabs, tab: undefined, isOwn, isStopped, pausedBy };
    },
    isDecided: (session_id) => lendings.get(session_id) !== undefined,
    async allow({ device_id: by }, session_id, origins) {
      const agent = await agentIn(session_id);
      await audit(by, 'browser_lent', session_id, { agent, site: origins?.join(', ') });
      if (isAgentSession(session_id)) return holds.resume(session_id);
      const device_id = deviceIn(session_id);
      // The agent's next call gets a token for the new sites.
      if (device_id !== undefined) end(device_id, LENT_ANEW);
      lendings.set(session_id, { lent: true, ...(origins && { origins }) });
      questions.withdraw(session_id);
    },
    maySee: (device_id = '', url) => threads.get(device_id)?.maySee(url) ?? !ended.has(device_id),
    originsOf: (device_id = '') => threads.get(device_id)?.origins,
    async takeBack({ device_id }, session_id) {
      if (!takeBack(session_id)) return false;
      await audit(device_id, 'browser_taken_back', session_id, { agent: await agentIn(session_id) });
      return true;
    },
    takeBackAll() {
      for (const session_id of lendings.sessions())
        if (lendings.get(session_id)?.lent === true) takeBack(session_id, 'Somebody stopped everything.');
    },
    ...takeovers,
    watching: (calls) => ({
      problem(device_id, call) {
        if (ended.has(device_id)) return new BridgeError('permission_denied', TAKEN_BACK);
        // The relay itself brings a person's files: an agent would put others in their place.
        if (call.name === 'browser.files.put') return new BridgeError('permission_denied', OWN_FILES);
        // Otherwise a question would be asked in the other agent's conversation.
        if (callers.has(call.call_id)) return new BridgeError('invalid_input', STILL_PENDING);
        const thread = threads.get(device_id) ?? own.of(device_id, call.client);
        const refusal = thread?.refusal(call);
        if (refusal !== undefined) return new BridgeError('permission_denied', refusal);
        const problem = calls.problem(device_id, call);
        if (problem !== undefined || thread === undefined) return problem;
        callers.set(call.call_id, thread);
        thread.began(call);
        return problem;
      },
      ready(device_id, call) {
        const { call_id = '' } = call;
        const caller = callers.get(call_id);
        const held = caller?.held(call_id);
        const thread = caller ?? threads.get(device_id);
        if (thread === undefined) return calls.ready(device_id, call);
        if (call_id !== '') calling.set(call_id, call);
        const { session_id } = thread;
        const prepare = () =>
          files.bring(session_id, call, device_id) ??
          files.answer(session_id, call, device_id) ??
          calls.ready(device_id, call);
        return held === undefined ? prepare() : held.then(prepare);
      },
      answered(device_id, call_id, output, error) {
        const thread = callers.get(call_id);
        callers.delete(call_id);
        thread?.ended(call_id, error === undefined ? { output } : { error });
        const call = calling.get(call_id);
        calling.delete(call_id);
        if (thread !== undefined && call !== undefined) void keepSaved(thread, device_id, call, output);
        calls.answered(device_id, call_id, output, error);
      },
    }),
    asking: (asker) => ({
      ask: (question, withdrawn) => (callers.get(question.call_id) ?? asker).ask(question, withdrawn),
    }),
    meet: own.meet,
    joined: own.joined,
    left: own.left,
    recorderOf: (call_id) => callers.get(call_id)?.record,
    messagesFor: (call_id) => callers.get(call_id)?.takeMessages() ?? [],
    async restore() {
      await holds.restore();
      await inboxes.restore();
      await lendings.restore();
      await own.restore();
      const heads = new Map((await ledger.heads()).map(({ session_id, head }) => [session_id, head]));
      const settle = (thread: BrowserThread) =>
        settleThread(ledger, thread, heads.get(thread.session_id) ?? 0);
      for (const { device_id, scopes, label, revoked_at } of await devices.list()) {
        const session_id = scopes.find((scope) => scope.startsWith(SCOPE))?.slice(SCOPE.length);
        if (session_id === undefined || revoked_at !== null) continue;
        const lending = lendings.get(session_id);
        const session = await ledger.session(session_id);
        const isOpen = lending?.lent === true && session?.closed_at === null;
        if (!isOpen || lending.device_id !== device_id) {
          await devices.revoke(device_id, 'machine');
          continue;
        }
        const { origins } = lending;
        await settle(begin(device_id, session_id, session.proxy_device_id, { label, origins }));
      }
      for (const session_id of lendings.sessions()) {
        const session = await ledger.session(session_id);
        if (session?.closed_at !== null) lendings.set(session_id, undefined);
        else if (deviceIn(session_id) === undefined) {
          // The earlier relay ended while its token did, or another was minted.
          const voice = voiceIn({ session_id, proxy_device_id: session.proxy_device_id, label: '' });
          await settle(voice);
          voice.close();
        }
      }
      await withdrawLendingQuestions();
    },
    close() {
      for (const thread of own.all()) thread.close();
      questions.close();
      stopListening();
      holds.close();
      stopLaunches();
      stopStops();
      stopRevocations();
      for (const thread of threads.values()) thread.close();
      threads.clear();
    },
  };
}

/** Name of a session's agent, as people know it. */
function labelIn({ metadata }: SessionRecord): string {
  const { display_name, agent_name, agent_type } = trustSession(metadata);
  return display_name ?? agent_name ?? agent_type;
}

/** Keeps the sites that a person chose. */
const origins = (lending: Lending | undefined) => lending?.origins && { origins: lending.origins };

const MAX_LABEL = 80;
const MAX_CALLS = 1_000;
const OWN_FILES =
  'Only the relay brings files to a tab. Use `upload` with the attachment id that the person sent.';
const STILL_PENDING = 'Another call with this call_id is still pending. Use another call_id.';
const LENT_ANEW = 'A person lent other tabs to this session. Call again.';
const NO_TAB = 'No tab is lent. Ask the person to lend one, then call again.';
const NOBODY_ANSWERED = 'Nobody answered whether you may use the browser. Ask the person, then call again.';
const NOT_LENT =
  'The person has not lent you the browser. Tell them; they can lend it to this conversation. Do not try again before.';
const TAKEN_BACK = 'The browser was taken back from this session. Tell the person; do not try again.';
