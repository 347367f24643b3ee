import type { ChatMessage, TabSession } from '@drawbridge/protocol';

/** What is known of one conversation that the relay keeps. */
export interface TalkView {
  readonly state: 'loading' | 'there' | 'failed';
  readonly messages: readonly ChatMessage[];
  readonly trouble?: string;
}

export interface TalkWatch {
  /** Looks again: something has been done that no push may have told. */
  readonly refresh: () => void;
  readonly close: () => void;
}

/** The relay's sessions, as the panel uses them. */
export interface SessionsPort {
  readonly byDomain: (domain: string) => Promise<TabSession | undefined>;
  readonly rename: (sessionId: string, title: string) => Promise<void>;
  readonly watch: (sessionId: string, onView: (view: TalkView) => void) => TalkWatch;
  readonly close: () => void;
}

export const NO_TALK: TalkView = { state: 'there', messages: [] };
