import type { ChatFrame, Session, SessionEvent } from '@drawbridge/protocol';
import type { FrameOf } from './peer.ts';

/** Screen of a browser: a fold of all received frames. */
export interface Screen {
  epoch: string | undefined;
  /** Last sequence by session. */
  readonly cursors: Map<string, number>;
  readonly sessions: Map<string, Session>;
  /** By session, then by message, in transcript order. */
  readonly transcripts: Map<string, Map<string, string>>;
  /** By session and message. */
  readonly deliveries: Map<string, string>;
  readonly prompts: Map<string, string>;
  readonly models: Map<string, string>;
  readonly launching: Set<string>;
}

export const createScreen = (): Screen => ({
  epoch: undefined,
  cursors: new Map(),
  sessions: new Map(),
  transcripts: new Map(),
  deliveries: new Map(),
  prompts: new Map(),
  models: new Map(),
  launching: new Set(),
});

const key = (session_id: string, id: string): string => `${session_id}/${id}`;

export function show(screen: Screen, frame: ChatFrame): void {
  const { request_id = '' } = frame;
  switch (frame.type) {
    case 'connection_ack':
      handshake(screen, frame);
      break;
    case 'session_snapshot':
      refill(
        screen.sessions,
        frame.sessions.map((session) => [session.session_id, session]),
      );
      break;
    case 'session_launching':
      screen.launching.add(request_id);
      break;
    case 'session_launch_ack':
    case 'session_launch_failed':
      screen.launching.delete(request_id);
      break;
    case 'history_snapshot':
      replay(screen, frame);
      break;
    case 'history_delta':
      for (const event of frame.events) showEvent(screen, event);
      break;
    default:
      if ('sequence' in frame && frame.sequence !== undefined) showEvent(screen, frame);
  }
}

function refill<Value>(map: Map<string, Value>, entries: readonly (readonly [string, Value])[]): void {
  map.clear();
  for (const [id, value] of entries) map.set(id, value);
}

/** State that is not in events comes whole with each connection. */
function handshake(screen: Screen, ack: FrameOf<'connection_ack'>): void {
  const { open_prompts = [], session_configs = {}, pending_launches = [] } = ack;
  screen.epoch = ack.epoch;
  refill(
    screen.prompts,
    open_prompts.map(({ session_id, prompt_id, prompt_text }) => [key(session_id, prompt_id), prompt_text]),
  );
  refill(
    screen.models,
    Object.entries(session_configs).map(([id, { model_id }]) => [id, model_id]),
  );
  screen.launching.clear();
  for (const { request_id } of pending_launches) screen.launching.add(request_id);
}

function replay(screen: Screen, { session_id, last_sequence, messages }: FrameOf<'history_snapshot'>): void {
  screen.cursors.set(session_id, last_sequence);
  const said = messages.map(({ message_id, content }) => [message_id, content] as const);
  screen.transcripts.set(session_id, new Map(said));
  for (const { message_id, status } of messages) {
    if (status !== undefined) screen.deliveries.set(key(session_id, message_id), status);
  }
}

type Numbered = SessionEvent | Extract<ChatFrame, { readonly sequence?: number }>;

/** Applies each event once: a resume may repeat earlier ones. */
function showEvent(screen: Screen, event: Numbered): void {
  const session_id = event.type === 'session_up' ? event.session.session_id : event.session_id;
  const { sequence = 0 } = event;
  if (sequence <= (screen.cursors.get(session_id) ?? 0)) return;
  screen.cursors.set(session_id, sequence);
  const session = screen.sessions.get(session_id);
  switch (event.type) {
    case 'session_up':
      screen.sessions.set(session_id, event.session);
      return;
    case 'session_down': {
      const { activity: _, ...rest } = session ?? { session_id, agent_type: 'unknown' as const };
      screen.sessions.set(session_id, { ...rest, status: 'disconnected' });
      return;
    }
    case 'session_status': {
      const { status = session?.status, activity = session?.activity } = event;
      if (session === undefined || status === undefined) return;
      screen.sessions.set(session_id, { ...session, status, ...(activity && { activity }) });
      return;
    }
    case 'session_closed':
      screen.sessions.delete(session_id);
      return;
    case 'message_accepted':
    case 'message_delivered':
    case 'message_failed':
      screen.deliveries.set(key(session_id, event.message_id), event.status);
      return;
    case 'message_event': {
      const { message_id, content } = event.message;
      const transcript = screen.transcripts.get(session_id) ?? new Map<string, string>();
      screen.transcripts.set(session_id, transcript.set(message_id, content));
      return;
    }
    case 'permission_prompt':
      screen.prompts.set(key(session_id, event.prompt_id), event.prompt_text);
      return;
    case 'permission_prompt_expired':
      screen.prompts.delete(key(session_id, event.prompt_id));
      return;
    case 'agent_config':
      screen.models.set(session_id, event.model_id);
  }
}

/** Equal for two screens that show the same state of these sessions. */
export function pictureOf(screen: Screen, session_ids: readonly string[]): object {
  const within = <Value>(map: Map<string, Value>) =>
    [...map].filter(([id]) => session_ids.some((own) => id === own || id.startsWith(`${own}/`))).toSorted();
  return {
    sessions: within(screen.sessions),
    transcripts: within(screen.transcripts).map(([id, transcript]) => [id, [...transcript]]),
    deliveries: within(screen.deliveries),
    prompts: within(screen.prompts),
    models: within(screen.models),
    launching: [...screen.launching],
  };
}
