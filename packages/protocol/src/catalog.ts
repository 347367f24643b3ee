import type { TSchema } from 'typebox';
import { BRIDGE_ITEMS } from './bridge/items.ts';
import { CHAT_FRAMES } from './chat/frames.ts';
import { INTERACT_REQUESTS } from './interact/request.ts';
import { INTERACT_RESPONSES } from './interact/response.ts';
import { SESSION_MESSAGES } from './interact/session.ts';
import { MANIFESTS } from './manifest/manifest.ts';
import { PUSHER_BODIES, PUSHER_FRAMES } from './pusher/frames.ts';
import { TASK_MESSAGES } from './tasks/messages.ts';

/** Every schema of every protocol, by protocol and message: what `npm run gen` reads. */
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
