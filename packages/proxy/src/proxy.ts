import type { Clock } from '@drawbridge/base';
import { type ChatLink, type ChatState, connectChat, type FrameOf } from '@drawbridge/link/chat';
import type { ChatFrame, Session } from '@drawbridge/protocol';
import type { AgentAdapter, AgentTarget } from './adapter.ts';
import { type Command, createControlHandler } from './control-handler.ts';
import { fetchAttachment } from './files.ts';
import { createLaunchHandler, type LaunchHandler } from './launch-handler.ts';
import { createOfferSource, type OfferSource } from './offer.ts';
import { Outgoing } from './outgoing.ts';
import type { ProxyEvent } from './proxy-event.ts';
import { type Delivered, SendHandler } from './send-handler.ts';
import { lastingOf, SessionBook } from './session-book.ts';
import type { StateFile } from './state-file.ts';
import type { Workspaces } from './workspaces.ts';

export interface ProxyOptions extends Clock {
  /** Address of the relay: `http://127.0.0.1:7717`. */
  readonly url: string;
  readonly token: string;
  readonly machine_label: string;
  readonly adapters: readonly AgentAdapter[];
  readonly workspaces: Workspaces;
  readonly state: StateFile;
  readonly newId: () => string;
  readonly onEvent?: (event: ProxyEvent) => void;
  readonly launchMs?: number;
  /** Characters of messages kept while the relay does not confirm any; agents wait above half of it. */
  readonly maxUnsentChars?: number;
  readonly checkCredential?: () => Promise<number>;
  readonly connect?: typeof connectChat;
}

const OFFER_MS = 30_000;

export interface SeenSession extends Session {
  readonly agent: string;
  readonly last_delivery?: Delivered;
}

/** Connects the agents of this machine to the relay. Only dials out. */
export class AgentProxy {
  readonly #options: ProxyOptions;
  readonly #book: SessionBook;
  readonly #link: ChatLink;
  readonly #out: Outgoing;
  readonly #sends: SendHandler;
  readonly #launches: LaunchHandler;
  readonly #offer: OfferSource;
  readonly #control: (frame: Command) => Promise<void>;
  #isClosed = false;
  #stopOffering = (): void => {};

  /** Discovers agents first, so that the first snapshot is complete. */
  static async start(options: ProxyOptions): Promise<AgentProxy> {
    const found = await Promise.all(
      options.adapters.map(async (adapter) => {
        const targets = await adapter.discover(lastingOf(options.state, adapter));
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
    const { url, token, machine_label, adapters, workspaces, state, now, newId, after, launchMs } = options;
    const { connect = connectChat, checkCredential, maxUnsentChars: maxChars } = options;
    this.#link = connect({
      url: `${url.replace(/^http/, 'ws')}/ws/chat`,
      token,
      peer_role: 'proxy',
      client_name: 'drawbridge-proxy',
      machine_label,
      // Tells the relay which of its connections are of this process.
      client_id: newId(),
      features: ['questions', 'modes', 'prompt_withdrawn', 'label_alarm', 'resend', 'stored', 'offers'],
      ...(checkCredential && { checkCredential }),
    });
    const book = new SessionBook({
      machine_label,
      state,
      now,
      newId,
      send: (frame) => this.#out.send(frame),
      notify: (event) => this.#notify(event),
    });
    this.#book = book;
    this.#offer = createOfferSource({
      adapters,
      workspaces,
      onChange: (offer) => {
        if (!this.#isClosed && this.#takesOffers()) this.#out.send(offer);
      },
    });
    this.#out = new Outgoing({
      link: this.#link,
      outbox: state.outbox,
      ...(maxChars !== undefined && { maxChars }),
      newId,
      after,
      hello: () => {
        const offer = this.#takesOffers() ? this.#offer.current() : undefined;
        return [...book.hello(), ...(offer ? [offer] : [])];
      },
      onFull: (isFull) => {
        for (const adapter of adapters) adapter.hold?.(isFull);
        if (isFull) this.#alarm('The relay has been away for long: the agents wait until it is back.');
      },
      onLost: (frame, error) => this.#alarm(`A ${frame.type} could not be sent: ${error.message}`),
    });
    this.#sends = new SendHandler({
      state,
      now,
      after,
      send: book.send,
      targetOf: (session_id) => book.get(session_id)?.target,
      fetchFile: (attachment_id) => fetchAttachment({ url, token }, attachment_id),
      onDelivery: (delivered) => {
        const session = book.get(delivered.session_id);
        if (session !== undefined) session.lastDelivery = delivered;
        this.#notify({ event: 'delivery', ...delivered });
      },
    });
    this.#control = createControlHandler({ sessionOf: (id) => book.get(id), send: book.send });
    this.#launches = createLaunchHandler({ book, adapters, workspaces, launchMs });
    for (const { agent, target } of found) book.adopt(agent, target);
    book.closeLost(new Set(adapters.map(({ name }) => name)));
    this.#link.onState((linkState) => {
      const message = 'error' in linkState ? linkState.error?.message : undefined;
      this.#notify({ event: 'relay', state: linkState.kind, ...(message !== undefined && { message }) });
    });
    this.#link.onFrame((frame) => this.#take(frame));
    this.#keepOffering();
    for (const adapter of adapters) adapter.onChange(() => void this.#rediscover(adapter));
  }

  get relayState(): ChatState {
    return this.#link.state;
  }

  sessions(): readonly SeenSession[] {
    return this.#book.all().map((session) => ({
      ...session.snapshot(),
      agent: session.agent,
      ...(session.lastDelivery && { last_delivery: session.lastDelivery }),
    }));
  }

  /** Idempotent. Lasting conversations are kept. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopOffering();
    const ending = this.#book.all().filter(({ target }) => !target.describe().lasting);
    await Promise.all(this.#options.adapters.map((adapter) => adapter.close()));
    for (const session of ending) this.#book.drop(session, 'proxy_shutdown');
    this.#book.close();
    this.#out.close();
    this.#link.close();
  }

  /** A folder's branch changes without notice. */
  #keepOffering(): void {
    void this.#offer.refresh().then(() => {
      if (!this.#isClosed) this.#stopOffering = this.#options.after(OFFER_MS, () => this.#keepOffering());
    });
  }

  /** CHT-306: an older relay would refuse the frame. */
  #takesOffers(): boolean {
    const { state } = this.#link;
    return state.kind === 'open' && state.features?.includes('offers') === true;
  }

  #notify(event: ProxyEvent): void {
    this.#options.onEvent?.(event);
  }

  #alarm(message: string): void {
    this.#notify({ event: 'alarm', message });
  }

  async #rediscover(adapter: AgentAdapter): Promise<void> {
    const targets = await adapter.discover(lastingOf(this.#options.state, adapter)).catch(() => []);
    if (!this.#isClosed) this.#book.adoptNew(adapter.name, targets);
  }

  #take(frame: ChatFrame): void {
    const isOrder = frame.type !== 'connection_error' && 'session_id' in frame;
    if (isOrder && frame.session_id !== undefined) this.#book.reclaim(frame.session_id);
    switch (frame.type) {
      case 'send_message':
        this.#sends.take(frame);
        return;
      case 'launch_session':
        // A launch shows whether the agent is signed in.
        void this.#launches.launch(frame).then(() => this.#offer.refresh());
        return;
      case 'close_session':
        void this.#launches.close(frame);
        return;
      case 'permission_response':
      case 'agent_interrupt':
      case 'agent_set_model':
      case 'agent_set_mode':
      case 'agent_config_request':
      case 'agent_answer':
        void this.#control(frame);
        return;
      case 'heartbeat_ack':
        this.#out.confirmed(frame.request_id);
        return;
      case 'connection_error':
        this.#refused(frame);
        return;
      default:
        return;
    }
  }

  /** Another proxy owns one of our sessions: reported once and left to it. */
  #refused({ code, message, session_id, retry_after_ms }: FrameOf<'connection_error'>): void {
    if (session_id !== undefined && retry_after_ms !== undefined)
      this.#out.refused(session_id, retry_after_ms);
    // CHT-291
    if (code === 'machine_label_taken') {
      this.#alarm(message);
      for (const session of this.#book.all()) this.#book.record(session.session_id, message);
      return;
    }
    const isOurs = session_id !== undefined && this.#book.get(session_id) !== undefined;
    if (!isOurs || (code !== 'unauthorized' && code !== 'session_not_connected')) {
      this.#alarm(`The relay refused something: ${message} (${code})`);
      return;
    }
    if (!this.#book.contest(session_id)) return;
    const { machine_label } = this.#options;
    this.#alarm(
      `Another proxy speaks for ${session_id}. Is a second one running as "${machine_label}", perhaps with a copy of this folder? End one of them, and start this one again.`,
    );
  }
}
