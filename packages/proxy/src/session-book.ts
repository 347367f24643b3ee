import type { Outgoing as Frame, FrameOf } from '@drawbridge/link/chat';
import type { AgentAdapter, AgentTarget } from './adapter.ts';
import type { ProxyEvent } from './proxy-event.ts';
import { ProxySession } from './proxy-session.ts';
import type { KnownSession, StateFile } from './state-file.ts';

type CloseReason = NonNullable<FrameOf<'session_closed'>['reason']>;

interface SessionBookOptions {
  readonly machine_label: string;
  readonly state: StateFile;
  readonly now: () => number;
  readonly newId: () => string;
  /** Queued until the relay is connected. */
  readonly send: (frame: Frame) => void;
  readonly notify: (event: ProxyEvent) => void;
}

/** The agent's lasting conversations. */
export const lastingOf = (state: StateFile, { name }: AgentAdapter): readonly KnownSession[] =>
  state.sessions().filter(({ agent, lasting }) => lasting && agent === name);

/** Conversations that this proxy serves. */
export class SessionBook {
  readonly #options: SessionBookOptions;
  readonly #sessions = new Map<string, ProxySession>();
  /** Sessions owned by another connection: not announced here, or the two would alternate. */
  readonly #contested = new Set<string>();

  constructor(options: SessionBookOptions) {
    this.#options = options;
  }

  get(session_id: string): ProxySession | undefined {
    return this.#sessions.get(session_id);
  }

  all(): readonly ProxySession[] {
    return [...this.#sessions.values()];
  }

  send = (frame: Frame): void => {
    if ('session_id' in frame && frame.session_id !== undefined && this.#contested.has(frame.session_id))
      return;
    this.#options.send(frame);
  };

  /** Adds a message of the proxy to the conversation. */
  record(session_id: string, content: string): void {
    const { now, newId } = this.#options;
    const created_at = new Date(now()).toISOString();
    const message = { message_id: newId(), role: 'system', content, created_at };
    this.send({ type: 'proxy_message', session_id, message });
  }

  /** Frames to send first on each connection. */
  hello(): readonly Frame[] {
    this.#contested.clear();
    return [this.#snapshot(), ...this.all().flatMap((each) => each.hello())];
  }

  sendAll(): void {
    this.send(this.#snapshot());
  }

  /** Returns false if already contested. */
  contest(session_id: string): boolean {
    if (this.#contested.has(session_id)) return false;
    this.#contested.add(session_id);
    return true;
  }

  /** The relay assigned the session to this connection again. */
  reclaim(session_id: string): void {
    this.#contested.delete(session_id);
  }

  adopt(agent: string, target: AgentTarget): ProxySession {
    const { state, machine_label, now, newId, notify } = this.#options;
    // CHT-124: by signature, whatever its process or tab.
    const known = state.sessions().find(({ signature }) => signature === target.signature);
    const session_id = known?.session_id ?? `sess_${newId()}`;
    target.assign?.(session_id);
    const session: ProxySession = new ProxySession({
      session_id,
      agent,
      target,
      machine_label,
      now,
      send: this.send,
      draft: this.#options.state.outbox.draft,
      onRenamed: () => {
        this.#remember(session);
        this.sendAll();
      },
      onChanged: () => notify({ event: 'session', session: session.snapshot() }),
      onGone: () => this.#left(session),
    });
    this.#sessions.set(session_id, session);
    this.#remember(session);
    notify({ event: 'session', session: session.snapshot() });
    return session;
  }

  /** Adopts those that are not here yet. */
  adoptNew(agent: string, targets: readonly AgentTarget[]): void {
    const here = new Set(this.all().map(({ target }) => target.signature));
    const fresh = targets.filter(({ signature }) => !here.has(signature));
    for (const target of fresh) this.adopt(agent, target);
    if (fresh.length > 0) this.sendAll();
  }

  drop({ session_id }: ProxySession, reason: CloseReason, request_id?: string): void {
    const session = this.#sessions.get(session_id);
    if (session === undefined) return;
    session.close();
    this.#sessions.delete(session_id);
    this.#options.state.forget(session_id);
    this.send({
      type: 'session_closed',
      session_id,
      reason,
      ...(request_id !== undefined && { request_id }),
    });
    this.#options.notify({ event: 'closed', session_id, reason });
  }

  /** Closes sessions of these agents whose process ended without a report. */
  closeLost(names: ReadonlySet<string>): void {
    const { state } = this.#options;
    for (const { session_id, agent, lasting } of state.sessions()) {
      if (lasting || this.#sessions.has(session_id) || !names.has(agent)) continue;
      state.forget(session_id);
      this.send({ type: 'session_closed', session_id, reason: 'target_closed' });
    }
  }

  /** Idempotent. Ignores all further agent events. */
  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  #snapshot(): Frame {
    const sessions = this.all().filter(({ session_id }) => !this.#contested.has(session_id));
    return { type: 'proxy_session_snapshot', sessions: sessions.map((session) => session.snapshot()) };
  }

  #remember({ session_id, agent, target }: ProxySession): void {
    const { workspace, window_title: title = null, lasting } = target.describe();
    const { signature } = target;
    this.#options.state.remember({ session_id, agent, signature, workspace, title, lasting });
  }

  /** A lasting session keeps its id; the relay sees it as down until it returns (CHT-120). */
  #left(session: ProxySession): void {
    if (!session.target.describe().lasting) {
      this.drop(session, 'target_closed');
      return;
    }
    session.close();
    this.#sessions.delete(session.session_id);
    this.sendAll();
    this.#options.notify({ event: 'closed', session_id: session.session_id, reason: 'target_closed' });
  }
}
