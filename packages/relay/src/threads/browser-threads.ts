import { RecentMap } from '@drawbridge/base';
import type { Bridge, CallRequest, RuntimeView } from '@drawbridge/bridge';
import { auditWrite, type Json, type Ledger, type SessionRecord } from '@drawbridge/ledger';
import { type Asker, BridgeError, plainLine } from '@drawbridge/protocol';
import {
  AGENT_DEVICE,
  agentSession,
  agentSpeaker,
  isAgentSession,
  isThreadPrompt,
} from '../approvals/prompt-asker.ts';
import { trustSession, trustStored } from '../core/frames.ts';
import type { Bus, CoreClock, Identity, RelayCore } from '../core/ports.ts';
import { LENDING_PROMPT } from '../core/prompt.ts';
import { SCHEDULED_MESSAGE } from '../core/scheduled-sends.ts';
import type { Devices } from '../devices/devices.ts';
import type { CallQuota } from '../server/quotas/call-quota.ts';
import {
  STOPPED as AGENT_STOPPED,
  type BrowserThread,
  createBrowserThread,
  type DoneStep,
  isAt,
  STEP_MESSAGE,
  type StepDetails,
  type Stops,
  type ThreadCall,
  urlOf,
} from './browser-thread.ts';
import { createLendings, type Lending } from './lending.ts';
import { createLendingQuestions, type Speaker } from './lending-question.ts';
import { isSaving, savedIn, type ThreadFiles } from './thread-files.ts';

export interface BrowserThreadsOptions {
  readonly core: Pick<RelayCore, 'connect' | 'onAgentStopped' | 'onLaunched'>;
  readonly clock: CoreClock;
  readonly ledger: Ledger;
  readonly bus: Pick<Bus, 'onMessage'>;
  readonly devices: Pick<Devices, 'mint' | 'revoke' | 'list' | 'onRevoked'>;
  /** Read when the first call is made: the bridge is created later. */
  readonly bridge: () => Pick<Bridge, 'runtimes' | 'cancelAll'>;
  readonly files: ThreadFiles;
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
}

/** Sessions of agents that use the lent tabs. Agents of a proxy have a separate token each. */
export interface BrowserThreads {
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
  /** Messages of people to the agent of a pending call; each is returned once. */
  readonly messagesFor: (call_id: string) => readonly string[];
  /** Settles what a relay that ended left open. */
  readonly restore: () => Promise<void>;
  readonly close: () => void;
}

/** Scope of a token that acts for one session. */
const SCOPE = 'thread:';
/** A step is settled within the events that follow it; an older one was. */
const LOOK_BACK = 500;

export function createBrowserThreads(options: BrowserThreadsOptions): BrowserThreads {
  const { core, clock, ledger, bus, devices, bridge, files, onError } = options;
  /** Threads of launched agents, by device. */
  const threads = new Map<string, BrowserThread>();
  /** Threads of agents that came by themselves, by device and the slug of their client. */
  const own = new Map<string, ReadonlyMap<string, BrowserThread>>();
  /** Agents without a launched session. */
  const agents = new Map<string, Identity>();
  /** By pending call. */
  const callers = new Map<string, BrowserThread>();
  /** Calls under way of launched agents. */
  const calling = new RecentMap<string, CallRequest>(MAX_CALLS);
  /** Devices whose token has ended; the ledger may not know it yet. */
  const ended = new Set<string>();
  /** By session: messages that an agent has not got. */
  const inboxes = new Map<string, readonly string[]>();
  /** By `stopKey`. */
  const stopped = new Set<string>();

  const audit = async (
    device_id: string | null,
    action: string,
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

  const store = async (key: string, value: Json): Promise<void> => {
    await ledger.commit([{ do: 'put_setting', key, value }]);
  };
  const stops: Stops = {
    has: (session_id) => stopped.has(stopKey(session_id)),
    add(session_id) {
      const key = stopKey(session_id);
      stopped.add(key);
      store(STOPPED + key, true).catch(onError);
    },
  };
  const resume = (session_id: string): void => {
    const key = stopKey(session_id);
    if (stopped.delete(key)) store(STOPPED + key, null).catch(onError);
  };
  const storeInbox = (session_id: string, messages: readonly string[]): Promise<void> => {
    if (messages.length === 0) inboxes.delete(session_id);
    else inboxes.set(session_id, messages);
    return store(INBOX + agentSpeaker(session_id), messages.length === 0 ? null : [...messages]);
  };
  /** Speaks in a session whose agent has no token. */
  const voiceIn = ({ session_id, proxy_device_id, label }: Speaker): BrowserThread =>
    createBrowserThread({
      ...{ core, clock, session_id, proxy_device_id, label, stops, onError },
      ...{ tabs: () => [], onInterrupt: () => {} },
    });
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
    const thread = createBrowserThread({
      ...{ core, clock, session_id, proxy_device_id, label, origins, stops, onError },
      tabs: () => bridge().runtimes(),
      onStep: auditStep(device_id, session_id, label),
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

  const beginOwn = (
    { device_id, label }: Pick<Identity, 'device_id' | 'label'>,
    client: string,
  ): BrowserThread => {
    const there = own.get(device_id) ?? new Map<string, BrowserThread>();
    const name = there.has(slugOf(client)) || there.size < MAX_CLIENTS ? client : OTHERS;
    const slug = slugOf(name);
    const known = there.get(slug);
    if (known !== undefined) return known;
    const speaker = `${AGENT_DEVICE}${device_id}_${slug}`;
    const session_id = agentSession(speaker);
    const cancel = (words: string, calls?: ReadonlySet<string>) =>
      bridge().cancelAll(words, device_id, calls);
    const thread: BrowserThread = createBrowserThread({
      ...{ core, clock, session_id, proxy_device_id: device_id, label: name, stops, onError },
      tabs: () => bridge().runtimes(),
      onStep: auditStep(device_id, session_id, name),
      // CHT-345: a stop is for the credential, whatever its programs call themselves.
      onInterrupt: () => cancel('A person stopped the agent.'),
      own: {
        ...{ machine_label: label, device_id: speaker, messages: inboxes.get(session_id) ?? [] },
        onMessages: (messages) => storeInbox(session_id, messages),
        onClose: () => cancel(CLOSED, thread.openCalls()),
      },
    });
    own.set(device_id, new Map([...there, [slug, thread]]));
    return thread;
  };

  /** The agent's next call begins it again. */
  const endOwn = (thread: BrowserThread): void => {
    const { proxy_device_id: device_id } = thread;
    const calls = thread.openCalls();
    thread.close();
    own.set(device_id, new Map([...(own.get(device_id) ?? [])].filter(([, each]) => each !== thread)));
    bridge().cancelAll(CLOSED, device_id, calls);
  };

  const threadOf = (device_id: string, { client }: ThreadCall): BrowserThread | undefined => {
    const launched = threads.get(device_id);
    const agent = agents.get(device_id);
    if (launched !== undefined || agent === undefined) return launched;
    return beginOwn(agent, plainLine(client ?? '', MAX_LABEL) || agent.label);
  };

  const ownThreads = (): readonly BrowserThread[] => [...own.values()].flatMap((each) => [...each.values()]);

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
    threads.get(deviceIn(session_id) ?? '') ??
    ownThreads().find((thread) => thread.session_id === session_id);

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
    lendings.set(session_id, { ...origins(lending), lent: false });
    return true;
  };

  const closed = (session_id: string): void => {
    if (!isAgentSession(session_id)) {
      takeBack(session_id, CLOSED);
      lendings.set(session_id, undefined);
      resume(session_id);
      return;
    }
    const thread = of(session_id);
    if (thread !== undefined) endOwn(thread);
    storeInbox(session_id, []).catch(onError);
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

  const stopListening = bus.onMessage((message) => {
    if (message.kind !== 'appended') return;
    for (const { type, session_id, payload } of message.events) {
      if (type === 'session_closed') closed(session_id);
      if (type !== 'message_event') continue;
      // Only a person's message has this id: an agent may report any text as its user's (CHT-312).
      const { role, client_message_id: id } = trustStored<Said>(payload['message'] ?? {});
      // CHT-344: a scheduled send was written earlier, and a stop makes the agent idle.
      if (role === 'user' && id !== undefined && !id.startsWith(SCHEDULED_MESSAGE)) resume(session_id);
    }
  });
  const stopStops = core.onAgentStopped((session_id) => {
    const thread = of(session_id);
    questions.withdraw(session_id);
    if (thread !== undefined) thread.stop();
    else stops.add(session_id);
  });
  const stopLaunches = core.onLaunched((session_id, { browser, browser_origins }) => {
    if (browser === undefined) return;
    lendings.set(session_id, { lent: browser, ...(browser_origins && { origins: browser_origins }) });
  });
  const stopRevocations = devices.onRevoked((device_id) => {
    for (const thread of own.get(device_id)?.values() ?? []) thread.close();
    own.delete(device_id);
    agents.delete(device_id);
    const prefix = agentSession(`${AGENT_DEVICE}${device_id}_`);
    for (const session_id of [...inboxes.keys()])
      if (session_id.startsWith(prefix)) storeInbox(session_id, []).catch(onError);
    resume(prefix);
    for (const [each, { proxy_device_id, session_id }] of [...threads]) {
      if (proxy_device_id === device_id || each === device_id) takeBack(session_id);
    }
  });

  /** Steps without a result. */
  const openSteps = async (session_id: string): Promise<readonly Step[]> => {
    const head = (await ledger.heads()).find((each) => each.session_id === session_id)?.head ?? 0;
    const page = await ledger.eventsAfter(session_id, Math.max(0, head - LOOK_BACK), LOOK_BACK);
    const latest = new Map<string, Step>();
    for (const { type, payload } of page?.events ?? []) {
      const step = type === 'message_event' ? stepIn(payload['message']) : undefined;
      if (step !== undefined) latest.set(step.message_id, step);
    }
    return [...latest.values()].filter(({ details }) => details.status === 'running');
  };

  /** Steps under way and open questions of a relay that ended. */
  const settle = async (thread: BrowserThread): Promise<void> => {
    const { session_id } = thread;
    for (const prompt of await ledger.openPrompts()) {
      // In an agent's own session every question is about the browser.
      const isOfThread = thread.isOwn || isThreadPrompt(prompt.prompt_id);
      if (prompt.session_id === session_id && isOfThread) thread.withdraw(prompt.prompt_id);
    }
    for (const { message_id, words, details } of await openSteps(session_id))
      thread.interrupted(message_id, words, details);
  };

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

  /** Agents that came by themselves are away after a restart; what an earlier relay left open is settled. */
  const restoreOwn = async (): Promise<void> => {
    const prompts = new Set((await ledger.openPrompts()).map(({ session_id }) => session_id));
    for (const { session_id } of await ledger.heads()) {
      if (!isAgentSession(session_id)) continue;
      const session = await ledger.session(session_id);
      if (session === undefined || session.closed_at !== null) continue;
      const speaker = session.proxy_device_id;
      const kept = await ledger.setting(INBOX + speaker);
      if (Array.isArray(kept)) inboxes.set(session_id, kept.map(String));
      const { display_name = '', machine_label: label = '' } = trustSession(session.metadata);
      const device_id = speaker.slice(AGENT_DEVICE.length, -1 - slugOf(display_name).length);
      const isLeftOpen = prompts.has(session_id) || (await openSteps(session_id)).length > 0;
      if (!isLeftOpen) continue;
      const thread = beginOwn({ device_id, label }, display_name);
      await settle(thread);
      thread.leave();
    }
  };

  return {
    async lend(proxy, session_id, signal) {
      const session = await ledger.session(session_id);
      const isTheirs = session?.proxy_device_id === proxy.device_id && session.closed_at === null;
      if (session === undefined || !isTheirs) return undefined;
      const label = labelIn(session);
      if (stops.has(session_id)) return { refused: AGENT_STOPPED };
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
      const isStopped = stops.has(session_id);
      if (thread !== undefined) {
        const { origins, isOwn } = thread;
        return { origins, isOwn, isStopped, tabs: thread.tabs(), tab: thread.tab() };
      }
      if (lending?.lent !== true) return undefined;
      const { origins } = lending;
      const tabs = bridge()
        .runtimes()
        .filter((tab) => isAt(urlOf(tab), origins));
      return { origins, tabs, tab: undefined, isOwn: false, isStopped };
    },
    isDecided: (session_id) => lendings.get(session_id) !== undefined,
    async allow({ device_id: by }, session_id, origins) {
      const agent = await agentIn(session_id);
      await audit(by, 'browser_lent', session_id, { agent, site: origins?.join(', ') });
      if (isAgentSession(session_id)) return resume(session_id);
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
    watching: (calls) => ({
      problem(device_id, call) {
        if (ended.has(device_id)) return new BridgeError('permission_denied', TAKEN_BACK);
        // The relay itself brings a person's files: an agent would put others in their place.
        if (call.name === 'browser.files.put') return new BridgeError('permission_denied', OWN_FILES);
        // Otherwise a question would be asked in the other agent's conversation.
        if (callers.has(call.call_id)) return new BridgeError('invalid_input', STILL_PENDING);
        const thread = threadOf(device_id, call);
        const refusal = thread?.refusal(call);
        if (refusal !== undefined) return new BridgeError('permission_denied', refusal);
        const problem = calls.problem(device_id, call);
        if (problem !== undefined || thread === undefined) return problem;
        callers.set(call.call_id, thread);
        thread.began(call);
        return problem;
      },
      ready(device_id, call) {
        const thread = threads.get(device_id);
        if (thread === undefined) return calls.ready(device_id, call);
        if (call.call_id !== undefined) calling.set(call.call_id, call);
        return files.bring(thread.session_id, call, device_id);
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
    meet(identity) {
      const { device_id, roles, scopes } = identity;
      if (roles.includes('agent') && scopes.length === 0) agents.set(device_id, identity);
    },
    recorderOf: (call_id) => callers.get(call_id)?.record,
    messagesFor: (call_id) => callers.get(call_id)?.takeMessages() ?? [],
    async restore() {
      for (const { key } of await ledger.settingsUnder(STOPPED)) stopped.add(key.slice(STOPPED.length));
      await lendings.restore();
      await restoreOwn();
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
      }
      await withdrawLendingQuestions();
    },
    close() {
      for (const thread of ownThreads()) thread.close();
      questions.close();
      stopListening();
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

interface Step {
  readonly message_id: string;
  readonly words: string;
  readonly details: StepDetails;
}

/** Part of a session id: a client's name is free text. */
const slugOf = (client: string): string =>
  client
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40) || 'agent';

/** Sessions of one device that came by itself stop together: their slugs are its own claims. */
const stopKey = (session_id: string): string =>
  isAgentSession(session_id) ? session_id.slice(0, session_id.lastIndexOf('_')) : session_id;

const INBOX = 'agent_inbox:';
const STOPPED = 'agent_stopped:';
/** A device may name as many clients as it likes; further ones share a conversation. */
const MAX_CLIENTS = 20;
const OTHERS = 'Other agents';

interface StoredStep {
  readonly message_id: string;
  readonly content: string;
  readonly metadata?: { readonly details?: StepDetails };
}

function stepIn(message: Json | undefined): Step | undefined {
  if (message === undefined) return undefined;
  const { message_id, content, metadata } = trustStored<StoredStep>(message);
  if (!message_id.startsWith(STEP_MESSAGE)) return undefined;
  const details = metadata?.details;
  return details && { message_id, words: content, details };
}

const MAX_LABEL = 80;
const MAX_CALLS = 1_000;
interface Said {
  readonly role: string;
  readonly client_message_id?: string;
}

const OWN_FILES =
  'Only the relay brings files to a tab. Use `upload` with the attachment id that the person sent.';
const STILL_PENDING = 'Another call with this call_id is still pending. Use another call_id.';
const CLOSED = 'The session was closed.';
const LENT_ANEW = 'A person lent other tabs to this session. Call again.';
const NO_TAB = 'No tab is lent. Ask the person to lend one, then call again.';
const NOBODY_ANSWERED = 'Nobody answered whether you may use the browser. Ask the person, then call again.';
const NOT_LENT =
  'The person has not lent you the browser. Tell them; they can lend it to this conversation. Do not try again before.';
const TAKEN_BACK = 'The browser was taken back from this session. Tell the person; do not try again.';
