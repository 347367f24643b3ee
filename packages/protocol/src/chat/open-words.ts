import { isObject } from '../wire/json-text.ts';
import { withoutNulls } from '../wire/nulls.ts';
import { AgentConfigFields } from './control.ts';
import { CHAT_FRAMES } from './frames.ts';
import { SessionClosed } from './launch.ts';
import { Activity, AgentType } from './session.ts';

/**
 * Newer peers use more words than a field of fixed words has. Such a frame is read with the word that this
 * protocol has for it, and the peer's own word is kept beside it, so that one word never loses a frame.
 */

type Json = Readonly<Record<string, unknown>>;

const isNewWord = (word: unknown, known: readonly unknown[]): word is string =>
  typeof word === 'string' && word !== '' && word.length <= 256 && !known.includes(word);

const AGENTS = AgentType.enum;
const ACTIVITIES = Activity.properties.kind.enum;
const PERMISSION_MODES = AgentConfigFields.permission_mode.enum;
const FILE_SCOPES = AgentConfigFields.file_access_scope.enum;
const CLOSE_REASONS = SessionClosed.properties.reason.enum;

/** An agent with an activity that has no word here is at work. */
function activityOf(activity: unknown): unknown {
  if (!isObject(activity) || !isNewWord(activity['kind'], ACTIVITIES)) return activity;
  const word = activity['kind'];
  return { ...activity, kind: 'thinking', label: activity['label'] ?? word, kind_name: word };
}

const withActivity = (holder: Json): Json =>
  holder['activity'] === undefined ? holder : { ...holder, activity: activityOf(holder['activity']) };

function sessionOf(session: unknown): unknown {
  if (!isObject(session)) return session;
  const known = withActivity(session);
  const word = known['agent_type'];
  if (!isNewWord(word, AGENTS)) return known;
  return { ...known, agent_type: 'unknown', agent_name: known['agent_name'] ?? word, agent_type_name: word };
}

const listOf = (list: unknown, read: (entry: unknown) => unknown): unknown =>
  Array.isArray(list) ? list.map(read) : list;

/** CHT-373: `{ id, label }` for an id. */
const idOf = (option: unknown): unknown => (isObject(option) ? (option['id'] ?? option) : option);

/** Such modes are set by another frame than ours. */
const isForeignMode = (mode: unknown): boolean =>
  isObject(mode) && mode['mode_id'] === undefined && mode['id'] !== undefined;

function configOf(config: Json): Json {
  const { permission_mode: mode, file_access_scope: scope, available_models, available_modes } = config;
  return {
    ...config,
    ...(Array.isArray(available_models) && { available_models: available_models.map(idOf) }),
    ...(Array.isArray(available_modes) && {
      available_modes: available_modes.filter((mode) => !isForeignMode(mode)),
    }),
    ...(isNewWord(mode, PERMISSION_MODES) && {
      permission_mode: 'unknown',
      permission_mode_name: config['permission_mode_name'] ?? mode,
    }),
    ...(isNewWord(scope, FILE_SCOPES) && { file_access_scope: 'unknown', file_access_scope_name: scope }),
  };
}

/** CHT-374: a prompt as the proxy of remote-agent-chat sends it: its text in `message`, and no default. */
function promptOf(prompt: Json): Json {
  const { prompt_text, message, choices } = prompt;
  if (prompt_text !== undefined || typeof message !== 'string') return prompt;
  const read = (choice: unknown): unknown => (isObject(choice) ? { is_default: false, ...choice } : choice);
  return { ...prompt, prompt_text: message, choices: listOf(choices, read) };
}

const chatOf = (chat: unknown): unknown => (isObject(chat) ? { kind: 'chat', ...chat } : chat);

function closedOf(frame: Json): Json {
  const { reason, ...rest } = frame;
  return isNewWord(reason, CLOSE_REASONS) ? { ...rest, reason_name: reason } : frame;
}

/** CHT-375: in place of the id and the time of a message without. */
export const UNNAMED = 'unnamed';
export const NO_TIME = '1970-01-01T00:00:00.000Z';

/** A proxy's own snapshot has no `last_sequence`, and names its messages by `source_message_id` (CHT-357). */
function snapshotOf(frame: Json): Json {
  // The relay stamps its snapshots.
  if (frame['server_ts'] !== undefined) return frame;
  const { messages = frame['history'], last_sequence = 0 } = frame;
  const read = (message: unknown): unknown =>
    isObject(message)
      ? {
          created_at: NO_TIME,
          ...message,
          message_id: message['message_id'] ?? message['source_message_id'] ?? UNNAMED,
        }
      : message;
  return { ...frame, last_sequence, messages: listOf(messages, read) };
}

const readEvent = (event: unknown): unknown => {
  if (!isObject(event) || typeof event['type'] !== 'string') return event;
  return READERS.get(event['type'])?.(event) ?? event;
};

const READERS: ReadonlyMap<string, (frame: Json) => Json> = new Map(
  Object.entries({
    session_snapshot: (frame: Json) => ({ ...frame, sessions: listOf(frame['sessions'], sessionOf) }),
    proxy_session_snapshot: (frame: Json) => ({ ...frame, sessions: listOf(frame['sessions'], sessionOf) }),
    session_up: (frame: Json) => ({ ...frame, session: sessionOf(frame['session']) }),
    session_status: withActivity,
    proxy_status: withActivity,
    session_closed: closedOf,
    agent_config: configOf,
    permission_prompt: promptOf,
    chat_list: (frame: Json) => ({ ...frame, chats: listOf(frame['chats'], chatOf) }),
    history_snapshot: snapshotOf,
    history_delta: (frame: Json) => ({ ...frame, events: listOf(frame['events'], readEvent) }),
  }),
);

const SCHEMAS: ReadonlyMap<string, unknown> = new Map(Object.entries(CHAT_FRAMES));

/** CHT-309 to CHT-311, CHT-372: the frame in this protocol's words. */
export function inKnownWords(kind: string, frame: Json): Json {
  const read = withoutNulls(SCHEMAS.get(kind), frame);
  return isObject(read) ? (READERS.get(kind)?.(read) ?? read) : frame;
}
