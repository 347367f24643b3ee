import type { ChatMessage, TabSession } from '@drawbridge/protocol';

/** State of one conversation in the relay. */
export interface ConversationState {
  readonly state: 'loading' | 'there' | 'failed';
  readonly messages: readonly ChatMessage[];
  readonly problem?: string;
}

export interface ConversationWatch {
  /** Loads again after an action that may have no push. */
  readonly refresh: () => void;
  readonly close: () => void;
}

export interface SessionsPort {
  readonly byDomain: (domain: string) => Promise<TabSession | undefined>;
  readonly rename: (sessionId: string, title: string) => Promise<void>;
  readonly watch: (sessionId: string, onView: (view: ConversationState) => void) => ConversationWatch;
  /** The model that decides in tasks; null where rules do, undefined if the relay does not say. */
  readonly model: () => Promise<string | null | undefined>;
  readonly close: () => void;
}

export const NO_CONVERSATION: ConversationState = { state: 'there', messages: [] };
