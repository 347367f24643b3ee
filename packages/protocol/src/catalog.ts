import type { TSchema } from 'typebox';
import { BRIDGE_ITEMS } from './bridge/items.ts';
import { BRIDGE_FIELD_NOTES, BRIDGE_NOTES, BRIDGE_SHAPES } from './bridge/notes.ts';
import { CHAT_FIELD_NOTES, CHAT_SHAPES } from './chat/field-notes.ts';
import { CHAT_FRAMES } from './chat/frames.ts';
import { CHAT_NOTES } from './chat/notes.ts';
import {
  INTERACT_FIELD_NOTES,
  INTERACT_REQUEST_NOTES,
  INTERACT_RESPONSE_NOTES,
  INTERACT_SHAPES,
  SESSION_NOTES,
} from './interact/notes.ts';
import { INTERACT_REQUESTS } from './interact/request.ts';
import { INTERACT_RESPONSES } from './interact/response.ts';
import { SESSION_MESSAGES } from './interact/session.ts';
import { MANIFESTS } from './manifest/manifest.ts';
import { MANIFEST_FIELD_NOTES, MANIFEST_NOTES, MANIFEST_SHAPES } from './manifest/notes.ts';
import { PUSHER_BODIES, PUSHER_FRAMES } from './pusher/frames.ts';
import { PUSHER_FIELD_NOTES, PUSHER_HTTP_NOTES, PUSHER_NOTES, PUSHER_SHAPES } from './pusher/notes.ts';
import { TASK_MESSAGES } from './tasks/messages.ts';
import { TASK_FIELD_NOTES, TASK_NOTES, TASK_SHAPES } from './tasks/notes.ts';
import type { FieldNotes, NotesOf } from './wire/note.ts';
import { WIRE_SHAPES } from './wire/shapes.ts';

/** Input of `npm run gen`. Must not import a generated file, else a new message could never be generated. */
export { BRIDGE_FEATURES } from './bridge/features.ts';
export { CHAT_FEATURES } from './chat/features.ts';
export { PUSHER_CLOSE_CODES } from './pusher/frames.ts';
export { REJECTION_REASONS } from './tasks/messages.ts';
export { DEVICE_LIMITS } from './wire/device-limits.ts';
export {
  BRIDGE_CODES,
  CHAT_CODES,
  type ErrorCodeInfo,
  INTERACT_CODES,
  MAP_CODES,
} from './wire/error-codes.ts';
export { LIMITS } from './wire/limits.ts';
export type { FieldNotes, Hop, MessageNote, Peer } from './wire/note.ts';

/** Every schema of every protocol, by protocol and message. */
export const CATALOG = {
  bridge: BRIDGE_ITEMS,
  chat: CHAT_FRAMES,
  'interact-request': INTERACT_REQUESTS,
  'interact-response': INTERACT_RESPONSES,
  session: SESSION_MESSAGES,
  tasks: TASK_MESSAGES,
  pusher: PUSHER_FRAMES,
  'pusher-http': PUSHER_BODIES,
  manifest: MANIFESTS,
} as const satisfies Record<string, Readonly<Record<string, TSchema>>>;

export type ProtocolName = keyof typeof CATALOG;

/** Sender, receiver and purpose of each message. */
export const NOTES: { readonly [Protocol in ProtocolName]: NotesOf<(typeof CATALOG)[Protocol]> } = {
  bridge: BRIDGE_NOTES,
  chat: CHAT_NOTES,
  'interact-request': INTERACT_REQUEST_NOTES,
  'interact-response': INTERACT_RESPONSE_NOTES,
  session: SESSION_NOTES,
  tasks: TASK_NOTES,
  pusher: PUSHER_NOTES,
  'pusher-http': PUSHER_HTTP_NOTES,
  manifest: MANIFEST_NOTES,
};

/** Types shared by a family's messages, by their name in the reference. */
export const SHAPES = {
  wire: WIRE_SHAPES,
  bridge: BRIDGE_SHAPES,
  chat: CHAT_SHAPES,
  interact: INTERACT_SHAPES,
  tasks: TASK_SHAPES,
  pusher: PUSHER_SHAPES,
  manifest: MANIFEST_SHAPES,
} as const satisfies Record<string, Readonly<Record<string, TSchema>>>;

export const FIELD_NOTES = {
  bridge: BRIDGE_FIELD_NOTES,
  chat: CHAT_FIELD_NOTES,
  interact: INTERACT_FIELD_NOTES,
  tasks: TASK_FIELD_NOTES,
  pusher: PUSHER_FIELD_NOTES,
  manifest: MANIFEST_FIELD_NOTES,
} as const satisfies Record<string, FieldNotes>;
