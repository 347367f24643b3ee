import type { ChatState } from '@drawbridge/link/chat';
import type { Session } from '@drawbridge/protocol';
import type { Delivered } from './send-handler.ts';

export type ProxyEvent =
  | { readonly event: 'relay'; readonly state: ChatState['kind']; readonly message?: string }
  | { readonly event: 'session'; readonly session: Session }
  | { readonly event: 'closed'; readonly session_id: string; readonly reason: string }
  | ({ readonly event: 'delivery' } & Delivered)
  /** A problem that only a person can fix. */
  | { readonly event: 'alarm'; readonly message: string };
