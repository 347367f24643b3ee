import type { ChatEvent, ChatState, FrameOf, SendFrame } from '@drawbridge/link/chat';
import type { ChatFrame, Session } from '@drawbridge/protocol';
import type { ScheduledSend } from '../client/scheduled-api.ts';
import type { Conversation, ConversationInput } from './conversation.ts';
import type { Remembered } from './remembered.ts';

/** State of the connection to the relay. */
export type LinkView =
  | { readonly kind: 'connecting' | 'open' }
  | { readonly kind: 'waiting'; readonly until: number }
  | { readonly kind: 'closed'; readonly isRefused: boolean };

export interface Launch {
  readonly request_id: string;
  readonly agent_type: string;
  readonly state: 'asked' | 'starting' | 'failed';
  readonly reason?: string;
}

/** A session being closed: undoable, then requested, possibly failed. */
export interface Closing {
  readonly state: 'waiting' | 'asked' | 'failed';
  readonly reason?: string;
}

export interface AppState {
  readonly link: LinkView;
  /** The relay has sent its session list. */
  readonly isListed: boolean;
  /** Time of the stored state, until the relay sends its own. */
  readonly asOf?: number | undefined;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly talks: ReadonlyMap<string, Conversation>;
  readonly launches: ReadonlyMap<string, Launch>;
  readonly closings: ReadonlyMap<string, Closing>;
  /** Sent here, not acknowledged by the relay. */
  readonly pending: readonly SendFrame[];
  /** Messages of this device that the relay sends later, by id. */
  readonly scheduled: ReadonlyMap<string, ScheduledSend>;
  /** The conversations that the screen of a session's agent lists. */
  readonly chatLists: ReadonlyMap<string, FrameOf<'chat_list'>['chats']>;
  /** Limits of providers that are near or reached, by session. */
  readonly limits: ReadonlyMap<string, FrameOf<'rate_limit_active'>>;
}

export const INITIAL_STATE: AppState = {
  link: { kind: 'connecting' },
  isListed: false,
  sessions: new Map(),
  talks: new Map(),
  launches: new Map(),
  closings: new Map(),
  pending: [],
  scheduled: new Map(),
  chatLists: new Map(),
  limits: new Map(),
};

export type Input =
  | { readonly type: 'link'; readonly state: ChatState; readonly at: number }
  | { readonly type: 'frame'; readonly frame: ChatFrame }
  | { readonly type: 'event'; readonly event: ChatEvent }
  | { readonly type: 'pending'; readonly pending: readonly SendFrame[] }
  | { readonly type: 'older_page'; readonly snapshot: FrameOf<'history_snapshot'> }
  | { readonly type: 'talk'; readonly session_id: string; readonly input: ConversationInput }
  | { readonly type: 'launch'; readonly launch: Launch }
  | { readonly type: 'launch_over'; readonly request_id: string }
  /** Over if `closing` is absent. */
  | { readonly type: 'closing'; readonly session_id: string; readonly closing?: Closing }
  | { readonly type: 'scheduled'; readonly sends: readonly ScheduledSend[] }
  | { readonly type: 'recalled'; readonly remembered: Remembered };
