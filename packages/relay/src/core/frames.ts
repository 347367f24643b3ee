import {
  CHAT_PROTOCOL_VERSION,
  type ChatFrame,
  type ChatFrameType,
  type ErrorCode,
  LIMITS,
  type Session,
  type SessionEvent,
} from '@drawbridge/protocol';
import type { Json, JsonObject } from '../ledger/records.ts';

/** The protocol's types leave `request_id` optional also where its checks require it. */
type Request = 'launch_session' | 'session_launch_ack' | 'session_launch_failed' | 'close_session';
type Correlated = Request | 'agent_control_result' | 'cancel_message' | 'edit_message';

export type FrameOf<Type extends ChatFrameType> = Type extends ChatFrameType
  ? Extract<ChatFrame, { type: Type }> & (Type extends Correlated ? { request_id: string } : unknown)
  : never;

type Unstamped<Frame> = Frame extends unknown ? Omit<Frame, 'protocol_version' | 'server_ts'> : never;
/** A frame of the relay's own, before it is stamped. */
export type OwnFrame = Unstamped<ChatFrame>;

export type EventType = SessionEvent['type'];
type OfTheLedger = 'type' | 'protocol_version' | 'event_id' | 'sequence' | 'session_id' | 'server_ts';
type Extra = { readonly message_edited: { readonly message: JsonObject } };
/** What an event says, beside what the ledger numbers it with. Held in its richest form (CHT-272). */
export type EventBody<Type extends EventType> = Omit<FrameOf<Type>, OfTheLedger | 'connection_id'> &
  (Type extends keyof Extra ? Extra[Type] : unknown);

/** CHT-108: every frame of the relay's own is stamped. */
export function frameText(frame: OwnFrame, at: number): string {
  return JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, server_ts: timeText(at), ...frame });
}

/** A command on its way to a proxy: it stays the person's own, so it bears no stamp (CHT-180). */
export function forwardText(frame: object, changes: JsonObject): string {
  return JSON.stringify({ ...frame, ...changes });
}

/** The last one that the wire's form of a time can say: the end of the year 9999. */
export const LATEST_TIME = 253_402_300_799_999;

let latest = { at: Number.NaN, text: '' };

/** What happens in one millisecond is stamped with one text: a busy relay makes thousands of them. */
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

/** A frame was JSON text a moment ago, so that all of it is JSON; only its type does not say so. */
export function parseJson(frame: object): JsonObject {
  return frame as JsonObject;
}

/** What the relay stored itself comes back as it was: the ledger checks each row. */
export function parseStored<Stored extends object>(value: Json | undefined): Stored {
  return value as unknown as Stored;
}

export const parseSession = (value: Json | undefined): Session => parseStored<Session>(value);
