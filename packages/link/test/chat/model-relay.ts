import { type ChatFrame, chat } from '@drawbridge/protocol';
import type { ChatEvent, FrameOf } from '../../src/chat/chat-link.ts';

/** A minimal relay with the rules that a client can see: one ledger, whole deltas, each send once. */

export interface ModelPeer {
  readonly send: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
}

export interface ModelOptions {
  readonly epoch?: string;
  /** Events in one `history_delta` (CHT-271). */
  readonly deltaEvents?: number;
  /** Messages in one `history_snapshot` (CHT-270). */
  readonly pageMessages?: number;
  readonly heartbeat_interval_ms?: number;
  readonly heartbeat_timeout_ms?: number;
}

export const AT = '2026-03-19T10:15:30.000Z';
const base = { protocol_version: 1, server_ts: AT } as const;

export class ModelRelay {
  readonly logs = new Map<string, ChatEvent[]>();
  readonly launched: string[] = [];
  readonly hellos: FrameOf<'connection_hello'>[] = [];
  readonly received: ChatFrame[] = [];
  readonly #peers = new Map<ModelPeer, { greeted: boolean }>();
  readonly #options: ModelOptions;
  epoch: string;
  /** Events up to here are lost. */
  oldest = 0;

  constructor(options: ModelOptions = {}) {
    this.#options = options;
    this.epoch = options.epoch ?? 'epoch_1';
  }

  connect(peer: ModelPeer) {
    this.#peers.set(peer, { greeted: false });
    return {
      receive: (text: string) => this.#receive(peer, chat.parse(text)),
      closed: () => this.#peers.delete(peer),
    };
  }

  appendMessage(session_id: string, content: string): void {
    this.#append(session_id, (event) => ({
      type: 'message_event',
      ...event,
      session_id,
      message: {
        message_id: `m_${session_id}_${event.sequence}`,
        role: 'assistant',
        content,
        created_at: AT,
      },
    }));
  }

  broadcast(frame: ChatFrame): void {
    for (const [peer, { greeted }] of this.#peers) if (greeted) peer.send(JSON.stringify(frame));
  }

  /** Starts a new ledger with another epoch. */
  forgetAll(epoch: string): void {
    this.epoch = epoch;
    this.logs.clear();
  }

  log(session_id: string): ChatEvent[] {
    const log = this.logs.get(session_id) ?? [];
    this.logs.set(session_id, log);
    return log;
  }

  #append(
    session_id: string,
    make: (event: {
      event_id: string;
      sequence: number;
      protocol_version: 1;
      server_ts: string;
    }) => ChatEvent & ChatFrame,
  ): void {
    const log = this.log(session_id);
    const sequence = log.length + 1;
    const event = make({ ...base, event_id: `evt_${session_id}_${sequence}`, sequence });
    log.push(event);
    this.broadcast(event);
  }

  #receive(peer: ModelPeer, frame: ChatFrame): void {
    this.received.push(frame);
    const answer = (text: ChatFrame) => peer.send(JSON.stringify(text));
    const echo = frame.request_id === undefined ? {} : { request_id: frame.request_id };
    switch (frame.type) {
      case 'connection_hello':
        this.#greet(peer, frame);
        break;
      case 'heartbeat':
        answer({ type: 'heartbeat_ack', ...base, ...echo });
        break;
      case 'send_message':
        this.#accept(frame, answer);
        break;
      case 'history_request':
        this.#history(frame, { ...base, ...echo }, answer);
        break;
      case 'launch_session':
        if (!this.launched.includes(frame.request_id ?? '')) this.launched.push(frame.request_id ?? '');
        answer({ type: 'session_launching', ...base, ...echo, agent_type: frame.agent_type });
        break;
      default:
        break;
    }
  }

  #greet(peer: ModelPeer, hello: FrameOf<'connection_hello'>): void {
    this.hellos.push(hello);
    const { epoch = this.epoch, sessions = [] } = hello.resume ?? {};
    const resumed = sessions.map(({ session_id, last_sequence }) => {
      const last = this.log(session_id).length;
      const isOk = epoch === this.epoch && last_sequence <= last && last_sequence >= this.oldest;
      return { session_id, result: isOk ? ('ok' as const) : ('gap' as const), last_sequence: last };
    });
    const { heartbeat_interval_ms = 10_000, heartbeat_timeout_ms = 30_000 } = this.#options;
    const answer = (frame: ChatFrame) => peer.send(JSON.stringify(frame));
    const connection_id = `conn_${this.hellos.length}`;
    const ack = { type: 'connection_ack', ...base, connection_id, epoch: this.epoch, resumed } as const;
    answer({ ...ack, heartbeat_interval_ms, heartbeat_timeout_ms });
    for (const [at, { session_id, last_sequence }] of sessions.entries()) {
      if (resumed[at]?.result === 'ok') this.#deltas(session_id, last_sequence, base, answer);
      else this.#snapshot({ type: 'history_request', protocol_version: 1, session_id }, base, answer);
    }
    this.#peers.set(peer, { greeted: true });
  }

  #accept(frame: FrameOf<'send_message'>, answer: (frame: ChatFrame) => void): void {
    const { session_id, client_message_id } = frame;
    const first = this.log(session_id).find(
      (event) => event.type === 'message_accepted' && event.client_message_id === client_message_id,
    );
    if (first?.type === 'message_accepted') {
      answer({ ...first, protocol_version: 1 });
      return;
    }
    const sent = { session_id, client_message_id, message_id: client_message_id };
    this.#append(session_id, (event) => ({
      type: 'message_accepted',
      ...event,
      ...sent,
      status: 'accepted',
      accepted_at: AT,
    }));
    this.#append(session_id, (event) => ({
      type: 'message_delivered',
      ...event,
      ...sent,
      status: 'delivered',
      delivered_at: AT,
    }));
  }

  #history(frame: FrameOf<'history_request'>, echo: typeof base, answer: (frame: ChatFrame) => void): void {
    const { session_id, after_sequence } = frame;
    if (after_sequence === undefined || after_sequence < this.oldest) this.#snapshot(frame, echo, answer);
    else this.#deltas(session_id, after_sequence, echo, answer);
  }

  #deltas(session_id: string, after: number, echo: typeof base, answer: (frame: ChatFrame) => void): void {
    const { deltaEvents = 1_000 } = this.#options;
    const log = this.log(session_id);
    let from_sequence = after;
    do {
      const events = log.slice(from_sequence, from_sequence + deltaEvents);
      const last_sequence = from_sequence + events.length;
      const { epoch } = this;
      answer({ type: 'history_delta', ...echo, session_id, from_sequence, last_sequence, events, epoch });
      from_sequence = last_sequence;
    } while (from_sequence < log.length);
  }

  #snapshot(frame: FrameOf<'history_request'>, echo: typeof base, answer: (frame: ChatFrame) => void): void {
    const { session_id, before_sequence = Number.POSITIVE_INFINITY, limit = 1_000 } = frame;
    const log = this.log(session_id);
    const said = log.flatMap((event) =>
      event.type === 'message_event' && event.sequence < before_sequence ? [event] : [],
    );
    const page = said.slice(-Math.min(limit, this.#options.pageMessages ?? 1_000));
    const [oldest] = page;
    answer({
      type: 'history_snapshot',
      ...echo,
      session_id,
      epoch: this.epoch,
      last_sequence: log.length,
      messages: page.map(({ message }) => message),
      ...(page.length < said.length && oldest !== undefined && { before_sequence: oldest.sequence }),
    });
  }
}
