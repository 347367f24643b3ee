import type { Json, JsonObject } from '@drawbridge/ledger';
import {
  blocksOfDetails,
  CHAT_PROTOCOL_VERSION,
  type ChatFrame,
  type ChatFrameType,
  type ErrorCode,
  LIMITS,
  membersOf,
  type Session,
  type SessionEvent,
  withMembers,
} from '@drawbridge/protocol';
import type { RelayEvent } from './ports.ts';

/** The protocol's types leave `request_id` optional also where its checks require it. */
type Request = 'launch_session' | 'session_launch_ack' | 'session_launch_failed' | 'close_session';
type Correlated = Request | 'agent_interrupt' | 'agent_control_result' | 'cancel_message' | 'edit_message';

export type FrameOf<Type extends ChatFrameType> = Type extends ChatFrameType
  ? Extract<ChatFrame, { type: Type }> & (Type extends Correlated ? { request_id: string } : unknown)
  : never;

type Unstamped<Frame> = Frame extends unknown ? Omit<Frame, 'protocol_version' | 'server_ts'> : never;
/** A frame that the relay sends, before it is stamped. */
export type OwnFrame = Unstamped<ChatFrame>;

export type EventType = SessionEvent['type'];
type OfTheLedger = 'type' | 'protocol_version' | 'event_id' | 'sequence' | 'session_id' | 'server_ts';
type Extra = { readonly message_edited: { readonly message: JsonObject } };
/** An event's body without the ledger's numbering, in its richest form (CHT-272). */
export type EventBody<Type extends EventType> = Omit<FrameOf<Type>, OfTheLedger | 'connection_id'> &
  (Type extends keyof Extra ? Extra[Type] : unknown);

/** CHT-108: stamps a frame of the relay. */
export function frameText(frame: OwnFrame, at: number): string {
  return JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, server_ts: timeText(at), ...frame });
}

/** The latest time that the wire format can express: the end of the year 9999. */
export const LATEST_TIME = 253_402_300_799_999;

let latest = { at: Number.NaN, text: '' };

/** Caches the text of the current millisecond, because a busy relay stamps thousands of frames. */
export function timeText(at: number): string {
  if (at !== latest.at) latest = { at, text: new Date(Math.min(at, LATEST_TIME)).toISOString() };
  return latest.text;
}

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;

export const labelText = (text: string): string => cut(text, LIMITS.label.value);

export const chatError = (code: ErrorCode, message: string): { code: ErrorCode; message: string } => ({
  code,
  message: labelText(message),
});

/** A frame was parsed from JSON text, so all of it is JSON; only its type does not express that. */
export function trustJson(frame: object): JsonObject {
  return frame as JsonObject;
}

/** Trusts values that the relay stored, because the ledger verifies each row. */
export function trustStored<Stored extends object>(value: Json | undefined): Stored {
  return value as unknown as Stored;
}

export const trustSession = (value: Json | undefined): Session => trustStored<Session>(value);

interface Shape {
  readonly type: string;
  readonly body: JsonObject;
}

interface FeatureEvent {
  readonly feature: string;
  readonly rich: (body: JsonObject) => JsonObject;
  readonly plain: (body: JsonObject, event: RelayEvent) => Shape;
}

/** CHT-272: fallback form of a feature's event for a peer without that feature. */
const FEATURE_EVENTS = new Map<string, FeatureEvent>(
  Object.entries({
    message_cancelled: {
      feature: 'queue',
      rich: (body) => body,
      plain: ({ cancelled_at = null, ...sent }) => ({
        type: 'message_failed',
        body: {
          ...sent,
          status: 'failed',
          failed_at: cancelled_at,
          error: { code: 'cancelled', message: 'A person took the message back before it was delivered.' },
        },
      }),
    },
    message_edited: {
      feature: 'queue',
      rich: ({ message: _, ...edit }) => edit,
      plain: ({ message = null }) => ({ type: 'message_event', body: { message } }),
    },
    permission_prompt_answered: {
      feature: 'prompt_answered',
      rich: (body) => body,
      plain: ({ prompt_id = null, choice_id = null }) => ({
        type: 'permission_prompt_expired',
        body: { prompt_id, applied_choice: choice_id },
      }),
    },
    agent_question: {
      feature: 'questions',
      rich: (body) => body,
      plain: (_, { at }) => ({
        type: 'session_status',
        body: { activity: { kind: 'waiting_for_user', updated_at: timeText(at) } },
      }),
    },
  } satisfies Record<string, FeatureEvent>),
);

export const CONTENT_BLOCKS = 'content_blocks';

/** CHT-316: blocks made of a message's details, when it has no blocks. */
function blocksOf(message: JsonObject): { readonly content_blocks: readonly Json[] } | undefined {
  const { metadata, content, content_blocks } = message;
  if (content_blocks !== undefined || typeof metadata !== 'object' || metadata === null) return undefined;
  const details = 'details' in metadata ? metadata['details'] : undefined;
  const blocks = blocksOfDetails(details, typeof content === 'string' ? content : '');
  return blocks && { content_blocks: trustStored<readonly Json[]>(trustJson(blocks)) };
}

const messageIn = ({ message }: JsonObject): JsonObject => trustStored<JsonObject>(message);

const withBlocksOf = (body: JsonObject): JsonObject => {
  if (body['message'] === undefined) return body;
  const message = messageIn(body);
  return { ...body, message: { ...message, ...blocksOf(message) } };
};

type Messages = Pick<RelayEvent, 'payload' | 'payload_text'>;

/**
 * CHT-312: the message of an event as JSON text, with other members. Members that do not change are as the
 * proxy wrote them.
 */
export function messageText(
  { payload, payload_text }: Messages,
  changes: JsonObject,
  withBlocks: boolean,
): string {
  const message = messageIn(payload);
  const all = { ...(withBlocks && blocksOf(message)), ...changes };
  const written = payload_text === undefined ? undefined : membersOf(payload_text).get('message')?.value;
  if (written === undefined) return JSON.stringify({ ...message, ...all });
  const texts = Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)]);
  return texts.length === 0 ? written : withMembers(written, Object.fromEntries(texts));
}

/** The same for the whole payload. */
export const payloadText = (
  event: Messages & { readonly payload_text: string },
  changes: JsonObject,
  withBlocks: boolean,
): string => withMembers(event.payload_text, { message: messageText(event, changes, withBlocks) });

const NO_FEATURES: ReadonlySet<string> = new Set();

/** An event as seen by a peer with these features. */
export function eventText(event: RelayEvent, features: ReadonlySet<string> = NO_FEATURES): string {
  const special = FEATURE_EVENTS.get(event.type);
  const { type, body } =
    special === undefined
      ? { type: event.type, body: event.payload }
      : features.has(special.feature)
        ? { type: event.type, body: special.rich(event.payload) }
        : special.plain(event.payload, event);
  const hasBlocks = type === 'message_event' && features.has(CONTENT_BLOCKS);
  const head = {
    type,
    protocol_version: CHAT_PROTOCOL_VERSION,
    event_id: event.event_id,
    sequence: event.sequence,
    // A session_up has its session_id within `session`.
    session_id: type === 'session_up' ? undefined : event.session_id,
    server_ts: timeText(event.at),
  };
  const { payload_text } = event;
  if (payload_text === undefined || body !== event.payload)
    return JSON.stringify({ ...head, ...(hasBlocks ? withBlocksOf(body) : body) });
  const text = hasBlocks ? payloadText({ ...event, payload_text }, {}, true) : payload_text;
  return `${JSON.stringify(head).slice(0, -1)},${text.slice(text.indexOf('{') + 1)}`;
}

/** An event as seen by a peer, rendered once for all peers that see the same: `forms` has what was rendered. */
export function renderEvent(event: RelayEvent, features: ReadonlySet<string>, forms: string[]): string {
  const feature = FEATURE_EVENTS.get(event.type)?.feature;
  const isRich = feature !== undefined && features.has(feature);
  const hasBlocks = event.payload['message'] !== undefined && features.has(CONTENT_BLOCKS);
  const form = (isRich ? 1 : 0) + (hasBlocks ? 2 : 0);
  forms[form] ??= eventText(event, features);
  return forms[form];
}
