import { isObject } from '../wire/json-text.ts';
import { AgentConfigFields } from './control.ts';
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

function configOf(config: Json): Json {
  const { permission_mode: mode, file_access_scope: scope } = config;
  return {
    ...config,
    ...(isNewWord(mode, PERMISSION_MODES) && {
      permission_mode: 'unknown',
      permission_mode_name: config['permission_mode_name'] ?? mode,
    }),
    ...(isNewWord(scope, FILE_SCOPES) && { file_access_scope: 'unknown', file_access_scope_name: scope }),
  };
}

function closedOf(frame: Json): Json {
  const { reason, ...rest } = frame;
  return isNewWord(reason, CLOSE_REASONS) ? { ...rest, reason_name: reason } : frame;
}

/** A proxy's own snapshot has no `last_sequence`, and names its messages by `source_message_id` (CHT-357). */
function snapshotOf(frame: Json): Json {
  // The relay stamps its snapshots.
  if (frame['server_ts'] !== undefined) return frame;
  const { messages = frame['history'], last_sequence = 0 } = frame;
  const read = (message: unknown): unknown =>
    isObject(message) && message['message_id'] === undefined && message['source_message_id'] !== undefined
      ? { ...message, message_id: message['source_message_id'] }
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
    history_snapshot: snapshotOf,
    history_delta: (frame: Json) => ({ ...frame, events: listOf(frame['events'], readEvent) }),
  }),
);

/** CHT-309 to CHT-311: the frame in this protocol's words. */
export const inKnownWords = (kind: string, frame: Json): Json => READERS.get(kind)?.(frame) ?? frame;
