import {
  type ChatLink,
  type ChatState,
  connectChat,
  type Outgoing as Frame,
  type FrameOf,
} from '@drawbridge/link/chat';
import type { ChatFrame, Session } from '@drawbridge/protocol';
import { type AgentAdapter, type AgentTarget, refusal, requirePower } from './adapter.ts';
import { type Command, createControlDesk } from './control-desk.ts';
import { failureOf } from './failure.ts';
import { fetchAttachment } from './files.ts';
import { Outgoing } from './outgoing.ts';
import { ProxySession } from './proxy-session.ts';
import { type Delivered, SendDesk } from './send-desk.ts';
import type { StateFile } from './state-file.ts';
import type { Workspaces } from './workspaces.ts';

export interface ProxyOptions {
  /** Of the relay: `http://127.0.0.1:7717`. */
  readonly url: string;
  readonly token: string;
  readonly machine_label: string;
  readonly adapters: readonly AgentAdapter[];
  readonly workspaces: Workspaces;
  readonly state: StateFile;
  readonly now: () => number;
  readonly newId: () => string;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly onEvent?: (event: ProxyEvent) => void;
  readonly launchMs?: number;
  readonly checkCredential?: () => Promise<number>;
  readonly connect?: typeof connectChat;
}

export type ProxyEvent =
  | { readonly event: 'relay'; readonly state: ChatState['kind']; readonly message?: string }
  | { readonly event: 'session'; readonly session: Session }
  | { readonly event: 'closed'; readonly session_id: string; readonly reason: string }
  | ({ readonly event: 'delivery' } & Delivered)
  /** Something that only a person can put right. */
  | { readonly event: 'alarm'; readonly message: string };

export interface SeenSession extends Session {
  readonly agent: string;
  readonly last_delivery?: Delivered;
}

type CloseReason = NonNullable<FrameOf<'session_closed'>['reason']>;

/** CHT-205: it may take so long; the relay gives up at 30 s. */
const LAUNCH_MS = 29_000;

/** The third party of the chat protocol, on the machine where the agents are. It dials; nothing listens. */
export class AgentProxy {
  readonly #options: ProxyOptions;
  readonly #sessions = new Map<string, ProxySession>();
  /** Sessions that another connection speaks for: this one is silent about them, or the two would take turns. */
  readonly #contested = new Set<string>();
  readonly #link: ChatLink;
  readonly #out: Outgoing;
  readonly #sends: SendDesk;
  readonly #control: (frame: Command) => Promise<void>;
  #isClosed = false;

  /** Looks for the agents first, so that the first snapshot is whole. */
  static async start(options: ProxyOptions): Promise<AgentProxy> {
    const known = options.state.sessions();
    const found = await Promise.all(
      options.adapters.map(async (adapter) => {
        const own = known.filter(({ agent, lasting }) => lasting && agent === adapter.name);
        const targets = await adapter.discover(own);
        return targets.map((target) => ({ agent: adapter.name, target }));
      }),
    );
    return new AgentProxy(options, found.flat());
  }

  private constructor(
    options: ProxyOptions,
    found: ReadonlyArray<{ readonly agent: string; readonly target: AgentTarget }>,
  ) {
    this.#options = options;
    const { url, token, machine_label, state, now, after, connect = connectChat, checkCredential } = options;
    this.#link = connect({
      url: `${url.replace(/^http/, 'ws')}/ws/chat`,
      token,
      peer_role: 'proxy',
      client_name: 'drawbridge-proxy',
      machine_label,
      features: ['questions', 'modes', 'prompt_withdrawn', 'label_alarm'],
      ...(checkCredential && { checkCredential }),
    });
    this.#out = new Outgoing({
      link: this.#link,
      after,
      greeting: () => this.#greeting(),
      onLost: (frame, error) => this.#alarm(`A ${frame.type} could not be sent: ${error.message}`),
    });
    this.#sends = new SendDesk({
      state,
      now,
      after,
      say: this.#say,
      targetOf: (session_id) => this.#sessions.get(session_id)?.target,
      fetchFile: (attachment_id) => fetchAttachment({ url, token }, attachment_id),
      onDelivery: (delivered) => {
        const session = this.#sessions.get(delivered.session_id);
        if (session !== undefined) session.lastDelivery = delivered;
        this.#tell({ event: 'delivery', ...delivered });
      },
    });
    this.#control = createControlDesk({ sessionOf: (id) => this.#sessions.get(id), say: this.#say });
    for (const { agent, target } of found) this.#adopt(agent, target);
    this.#closeLost();
    this.#link.onState((linkState) => {
      const message = 'error' in linkState ? linkState.error?.message : undefined;
      this.#tell({ event: 'relay', state: linkState.kind, ...(message !== undefined && { message }) });
    });
    this.#link.onFrame((frame) => this.#take(frame));
    for (const adapter of options.adapters) adapter.onChange(() => void this.#rediscover(adapter));
  }

  get relayState(): ChatState {
    return this.#link.state;
  }

  sessions(): readonly SeenSession[] {
    return [...this.#sessions.values()].map((session) => ({
      ...session.snapshot(),
      agent: session.agent,
      ...(session.lastDelivery && { last_delivery: session.lastDelivery }),
    }));
  }

  /** Idempotent. Conversations that outlive their process are only let go of. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const ending = [...this.#sessions.values()].filter(({ target }) => !target.describe().lasting);
    await Promise.all(this.#options.adapters.map((adapter) => adapter.close()));
    for (const session of ending) this.#dropped(session, 'proxy_shutdown');
    for (const session of this.#sessions.values()) session.close();
    this.#out.close();
    this.#link.close();
  }

  #say = (frame: Frame): void => {
    if ('session_id' in frame && frame.session_id !== undefined && this.#contested.has(frame.session_id))
      return;
    this.#out.say(frame);
  };

  #tell(event: ProxyEvent): void {
    this.#options.onEvent?.(event);
  }

  #alarm(message: string): void {
    this.#tell({ event: 'alarm', message });
  }

  #greeting(): readonly Frame[] {
    this.#contested.clear();
    return [this.#snapshot(), ...[...this.#sessions.values()].flatMap((each) => each.greeting())];
  }

  #snapshot(): Frame {
    const sessions = [...this.#sessions.values()].filter(
      ({ session_id }) => !this.#contested.has(session_id),
    );
    return { type: 'proxy_session_snapshot', sessions: sessions.map((session) => session.snapshot()) };
  }

  #adopt(agent: string, target: AgentTarget): ProxySession {
    const { state, machine_label, now, newId } = this.#options;
    // CHT-124: by its signature, whatever process or tab it is in now.
    const known = state.sessions().find(({ signature }) => signature === target.signature);
    const session_id = known?.session_id ?? `sess_${newId()}`;
    const session: ProxySession = new ProxySession({
      session_id,
      agent,
      target,
      machine_label,
      now,
      say: this.#say,
      onRenamed: () => {
        this.#remember(session);
        this.#say(this.#snapshot());
      },
      onChanged: () => this.#tell({ event: 'session', session: session.snapshot() }),
      onGone: () => this.#left(session),
    });
    this.#sessions.set(session_id, session);
    this.#remember(session);
    this.#tell({ event: 'session', session: session.snapshot() });
    return session;
  }

  #remember({ session_id, agent, target }: ProxySession): void {
    const { workspace, window_title: title = null, lasting } = target.describe();
    const { signature } = target;
    this.#options.state.remember({ session_id, agent, signature, workspace, title, lasting });
  }

  #dropped(
    { session_id, close }: Pick<ProxySession, 'session_id' | 'close'>,
    reason: CloseReason,
    request_id?: string,
  ): void {
    const session = this.#sessions.get(session_id);
    if (session === undefined) return;
    close.call(session);
    this.#sessions.delete(session_id);
    this.#options.state.forget(session_id);
    this.#say({
      type: 'session_closed',
      session_id,
      reason,
      ...(request_id !== undefined && { request_id }),
    });
    this.#tell({ event: 'closed', session_id, reason });
  }

  /** One that lasts keeps its id for when it is back; for the relay it is down until then (CHT-120). */
  #left(session: ProxySession): void {
    if (!session.target.describe().lasting) {
      this.#dropped(session, 'target_closed');
      return;
    }
    session.close();
    this.#sessions.delete(session.session_id);
    this.#say(this.#snapshot());
    this.#tell({ event: 'closed', session_id: session.session_id, reason: 'target_closed' });
  }

  /** It ended with the process that it was in, and nobody was left to say so. */
  #closeLost(): void {
    const names = new Set(this.#options.adapters.map(({ name }) => name));
    for (const { session_id, agent, lasting } of this.#options.state.sessions()) {
      if (lasting || this.#sessions.has(session_id) || !names.has(agent)) continue;
      this.#options.state.forget(session_id);
      this.#out.say({ type: 'session_closed', session_id, reason: 'target_closed' });
    }
  }

  async #rediscover(adapter: AgentAdapter): Promise<void> {
    const known = this.#options.state
      .sessions()
      .filter(({ agent, lasting }) => lasting && agent === adapter.name);
    const targets = await adapter.discover(known).catch(() => []);
    if (this.#isClosed) return;
    const here = new Set([...this.#sessions.values()].map(({ target }) => target.signature));
    const fresh = targets.filter(({ signature }) => !here.has(signature));
    for (const target of fresh) this.#adopt(adapter.name, target);
    if (fresh.length > 0) this.#say(this.#snapshot());
  }

  #take(frame: ChatFrame): void {
    // What the relay hands to this connection is this one's again, whoever spoke for it before.
    const isOrder = frame.type !== 'connection_error' && 'session_id' in frame;
    if (isOrder && frame.session_id !== undefined) this.#contested.delete(frame.session_id);
    switch (frame.type) {
      case 'send_message':
        this.#sends.take(frame);
        return;
      case 'launch_session':
        void this.#launch(frame);
        return;
      case 'close_session':
        void this.#close(frame);
        return;
      case 'permission_response':
      case 'agent_interrupt':
      case 'agent_set_model':
      case 'agent_set_mode':
      case 'agent_config_request':
      case 'agent_answer':
        void this.#control(frame);
        return;
      case 'connection_error':
        this.#refused(frame);
        return;
      default:
        return;
    }
  }

  async #launch(frame: FrameOf<'launch_session'>): Promise<void> {
    const { request_id = '', agent_type, workspace_path, window_title } = frame;
    const { adapters, workspaces, launchMs = LAUNCH_MS } = this.#options;
    try {
      const adapter = adapters.find(({ name }) => name === agent_type);
      if (adapter === undefined) {
        const names = adapters.map(({ name }) => name).join(', ');
        throw refusal('launch_not_supported', `This proxy starts no "${agent_type}". It starts: ${names}.`);
      }
      requirePower(adapter.powers, 'launch', adapter.name);
      const asked = workspace_path === undefined ? undefined : workspaces.find(workspace_path);
      const workspace = asked ?? workspaces.all[0];
      if (workspace === undefined)
        throw refusal('launch_not_supported', 'This proxy was given no workspace.');
      const signal = AbortSignal.timeout(launchMs);
      const target = await adapter.launch({
        workspace,
        signal,
        ...(window_title && { title: window_title }),
      });
      const configuration = await target.configuration().catch(() => undefined);
      const session = this.#adopt(adapter.name, target);
      const { session_id } = session;
      if (configuration !== undefined) session.learn(configuration);
      this.#say(this.#snapshot());
      this.#say({ type: 'session_launch_ack', request_id, session_id, agent_type });
      for (const greeting of session.greeting()) this.#say(greeting);
      // CHT-210, CHT-211: another folder is no reason to fail, and every reason to say so.
      if (workspace_path !== undefined && asked === undefined) {
        this.#note(
          session_id,
          `${workspace_path} is no workspace of this proxy: the agent is in ${workspace}.`,
        );
      }
    } catch (error) {
      const { code, message } = failureOf(error, 'agent_not_open');
      this.#say({ type: 'session_launch_failed', request_id, agent_type, error_code: code, reason: message });
    }
  }

  #note(session_id: string, content: string): void {
    const { now, newId } = this.#options;
    const created_at = new Date(now()).toISOString();
    const message = { message_id: newId(), role: 'system', content, created_at };
    this.#say({ type: 'proxy_message', session_id, message });
  }

  async #close({ request_id = '', session_id }: FrameOf<'close_session'>): Promise<void> {
    const session = this.#sessions.get(session_id);
    // The relay believes in it; that it is not here is all there is to say.
    if (session === undefined) {
      this.#say({ type: 'session_closed', session_id, request_id, reason: 'target_closed' });
      return;
    }
    try {
      await session.target.close();
      this.#dropped(session, 'user_requested', request_id);
    } catch (error) {
      this.#note(session_id, `It could not be closed: ${failureOf(error, 'control_not_supported').message}`);
    }
  }

  /** Another proxy speaks for one of our sessions: said once, and left to it. */
  #refused({ code, message, session_id }: FrameOf<'connection_error'>): void {
    // CHT-291
    if (code === 'machine_label_taken') {
      this.#alarm(message);
      for (const id of this.#sessions.keys()) this.#note(id, message);
      return;
    }
    const isOurs = session_id !== undefined && this.#sessions.has(session_id);
    if (!isOurs || (code !== 'unauthorized' && code !== 'session_not_connected')) {
      this.#alarm(`The relay refused something: ${message} (${code})`);
      return;
    }
    if (this.#contested.has(session_id)) return;
    this.#contested.add(session_id);
    const { machine_label } = this.#options;
    this.#alarm(
      `Another proxy speaks for ${session_id}. Is a second one running as "${machine_label}", perhaps with a copy of this folder? End one of them, and start this one again.`,
    );
  }
}
