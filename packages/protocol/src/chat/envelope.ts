import { type Static, Type } from 'typebox';
import { Id, Label, Timestamp } from '../wire/fields.ts';

export const CHAT_PROTOCOL_VERSION = 1;

export const Version = Type.Literal(CHAT_PROTOCOL_VERSION);

/** Optional fields of every frame. */
const envelope = {
  protocol_version: Version,
  request_id: Type.Optional(Id),
  connection_id: Type.Optional(Id),
  server_ts: Type.Optional(Timestamp),
};

export const frame = <Name extends string, Fields extends Record<string, Type.TSchema>>(
  name: Name,
  fields: Fields,
) => Type.Object({ type: Type.Literal(name), ...envelope, ...fields });

export const Sequence = Type.Integer({ minimum: 0 });

/** A frame that the relay broadcasts for a session: one row of its event log. */
export const event = <Name extends string, Fields extends Record<string, Type.TSchema>>(
  name: Name,
  fields: Fields,
) => frame(name, { event_id: Id, sequence: Sequence, ...fields });

/** A proxy's report, to which the relay adds `event_id` and `sequence` before broadcasting it. */
export const stampable = <Name extends string, Fields extends Record<string, Type.TSchema>>(
  name: Name,
  fields: Fields,
) => frame(name, { event_id: Type.Optional(Id), sequence: Type.Optional(Sequence), ...fields });

export const Epoch = Id;

export const ChatError = Type.Object({ code: Id, message: Label });
export type ChatError = Static<typeof ChatError>;
