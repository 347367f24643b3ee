import type { ChatFrame } from '@drawbridge/protocol';
import { type FrameOf, V1 } from './peer.ts';
import {
  applyEvent,
  createSessionView,
  parseBroadcast,
  type Recorded,
  type SessionView,
  sessionIdOf,
  trustRecorded,
} from './view.ts';

export interface Watched {
  readonly view: SessionView;
  /** The cursor; undefined before the first snapshot. */
  last: number | undefined;
  /** Events that came before the first snapshot. */
  early: Recorded[];
  /** Pending request: an answer to `page` is not the whole transcript. */
  waits: 'resume' | 'history' | 'page' | undefined;
}

type Hello = FrameOf<'connection_hello'>;
type Prompt = FrameOf<'permission_prompt'>;

/** Screen of a browser: a fold of received frames, with a cursor per session to resume from. */
export interface Screen {
  readonly views: ReadonlyMap<string, Watched>;
  readonly prompt: (session_id: string, prompt_id: string) => Prompt | undefined;
  readonly receive: (frame: ChatFrame) => void;
  readonly resume: () => NonNullable<Hello['resume']>;
  /** Requests history, unless an answer is pending. */
  readonly ask: (session_id: string, after_sequence?: number) => void;
  readonly askForPage: (session_id: string, limit: number) => boolean;
  /** Drops pending requests of the lost connection, and the whole screen with `forgets`. */
  readonly disconnected: (forgets?: boolean) => void;
}

/** `say` is false without a connection; `onAccepted` is called for every send that the relay has. */
export function createScreen(
  say: (frame: ChatFrame) => boolean,
  onAccepted: (client_message_id: string) => void,
): Screen {
  const views = new Map<string, Watched>();
  const prompts = new Map<string, Prompt>();
  let epoch: string | undefined;

  const watched = (session_id: string): Watched => {
    const there = views.get(session_id);
    if (there !== undefined) return there;
    const made: Watched = { view: createSessionView(), last: undefined, early: [], waits: undefined };
    views.set(session_id, made);
    return made;
  };

  const ask = (session_id: string, after_sequence?: number): void => {
    const each = watched(session_id);
    if (each.waits !== undefined) return;
    const after = after_sequence === undefined ? {} : { after_sequence };
    if (say({ type: 'history_request', ...V1, session_id, ...after })) each.waits = 'history';
  };

  const remember = (prompt: Omit<Prompt, 'type' | 'protocol_version'>): void => {
    prompts.set(`${prompt.session_id} ${prompt.prompt_id}`, { type: 'permission_prompt', ...V1, ...prompt });
  };

  const take = (each: Watched, event: Recorded): void => {
    if (event.sequence !== (each.last ?? 0) + 1) return;
    each.last = event.sequence;
    applyEvent(each.view, event);
    if (event.type === 'message_accepted') onAccepted(event.client_message_id);
    if (event.type === 'permission_prompt') remember(event);
  };

  const drain = (each: Watched): void => {
    const early = each.early.sort((a, b) => a.sequence - b.sequence);
    each.early = [];
    for (const event of early) take(each, event);
  };

  const onEvent = (event: Recorded): void => {
    const session_id = sessionIdOf(event);
    const each = watched(session_id);
    if (event.type === 'message_accepted') onAccepted(event.client_message_id);
    const missing = each.last === undefined || event.sequence > each.last + 1;
    // Out of order, an acceptance is the answer to a retry.
    if (each.last !== undefined && missing && event.type === 'message_accepted') return;
    if (!missing) {
      take(each, event);
      return;
    }
    each.early.push(event);
    ask(session_id, each.last);
  };

  const onDelta = (frame: FrameOf<'history_delta'>): void => {
    const each = watched(frame.session_id);
    if (each.waits !== 'page') each.waits = undefined;
    for (const event of trustRecorded(frame.events)) take(each, event);
    drain(each);
  };

  const onSnapshot = (frame: FrameOf<'history_snapshot'>): void => {
    const each = watched(frame.session_id);
    const paged = each.waits === 'page';
    each.waits = undefined;
    if (paged || frame.last_sequence < (each.last ?? 0)) return;
    for (const event of each.early) if (event.sequence <= frame.last_sequence) applyEvent(each.view, event);
    each.view.transcript.clear();
    each.view.deliveries.clear();
    for (const { message_id, content, client_message_id, status } of frame.messages) {
      each.view.transcript.set(message_id, content);
      if (client_message_id === undefined) continue;
      onAccepted(client_message_id);
      if (status !== undefined) each.view.deliveries.set(client_message_id, status);
    }
    each.last = frame.last_sequence;
    drain(each);
  };

  const onAck = (frame: FrameOf<'connection_ack'>): void => {
    if (epoch !== undefined && frame.epoch !== epoch) views.clear();
    epoch = frame.epoch;
    for (const each of views.values()) each.view.prompts.clear();
    for (const prompt of frame.open_prompts ?? []) {
      watched(prompt.session_id).view.prompts.add(prompt.prompt_id);
      remember(prompt);
    }
    for (const [session_id, { model_id }] of Object.entries(frame.session_configs ?? {})) {
      watched(session_id).view.model_id = model_id;
    }
    for (const { session_id } of frame.resumed ?? []) watched(session_id).waits = 'resume';
  };

  const onSessions = ({ sessions }: FrameOf<'session_snapshot'>): void => {
    const live = new Set(sessions.map(({ session_id }) => session_id));
    for (const session of sessions) {
      const each = watched(session.session_id);
      each.view.session = session;
      each.view.closed = false;
      if (each.last === undefined) ask(session.session_id);
    }
    for (const [session_id, { view }] of views) if (!live.has(session_id)) view.closed = true;
  };

  const onError = ({ code, session_id, request_id }: FrameOf<'connection_error'>): void => {
    // A history_request has no request_id here, and every command has one.
    if (session_id === undefined || request_id !== undefined) return;
    const each = watched(session_id);
    if (code === 'session_unknown' || code === 'history_not_available') each.waits = undefined;
    if (code === 'resume_cursor_invalid') each.last = undefined;
  };

  return {
    views,
    prompt: (session_id, prompt_id) => prompts.get(`${session_id} ${prompt_id}`),
    receive: (frame) => {
      const event = parseBroadcast(frame);
      if (event !== undefined) onEvent(event);
      else if (frame.type === 'connection_ack') onAck(frame);
      else if (frame.type === 'session_snapshot') onSessions(frame);
      else if (frame.type === 'history_delta') onDelta(frame);
      else if (frame.type === 'history_snapshot') onSnapshot(frame);
      else if (frame.type === 'connection_error') onError(frame);
    },
    resume: () => ({
      ...(epoch !== undefined && { epoch }),
      sessions: [...views].flatMap(([session_id, { last }]) =>
        last === undefined ? [] : [{ session_id, last_sequence: last }],
      ),
    }),
    ask,
    askForPage: (session_id, limit) => {
      const each = watched(session_id);
      if (each.last === undefined || each.waits !== undefined) return false;
      const part = { limit, before_sequence: each.last };
      const said = say({ type: 'history_request', ...V1, session_id, ...part });
      if (said) each.waits = 'page';
      return said;
    },
    disconnected: (forgets = false) => {
      if (forgets) views.clear();
      for (const each of views.values()) {
        each.waits = undefined;
        each.early = [];
      }
    },
  };
}
