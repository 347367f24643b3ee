import type { ChatFrame, MessageDetails, MessagePart } from '@drawbridge/protocol';

export type OpenPrompt = NonNullable<Extract<ChatFrame, { type: 'connection_ack' }>['open_prompts']>[number];
export type OpenQuestion = Pick<
  Extract<ChatFrame, { type: 'agent_question' }>,
  'question_id' | 'text' | 'form' | 'expires_at'
>;
export type Attachment = NonNullable<Extract<ChatFrame, { type: 'send_message' }>['attachments']>[number];

/** Delivery state of a person's message. Never moves backwards (CHT-154). */
export type Delivery =
  | { readonly status: 'queued' }
  /** `isChecking`: a proxy may have received it, and the relay is finding out (CHT-349). */
  | { readonly status: 'accepted'; readonly at?: number; readonly isChecking?: boolean }
  | { readonly status: 'delivered'; readonly at?: number }
  /** `isUnknown`: delivery unknown (CHT-160). */
  | {
      readonly status: 'failed';
      readonly at?: number;
      readonly code?: string;
      readonly message?: string;
      readonly isUnknown: boolean;
    }
  | { readonly status: 'cancelled'; readonly at?: number };

export interface MessageEntry {
  readonly kind: 'message';
  readonly id: string;
  /** Position in the ledger, if known; older entries are requested before it. */
  readonly sequence?: number;
  readonly role: string;
  readonly content: string;
  readonly at: number;
  readonly attachments: readonly Attachment[];
  readonly details?: MessageDetails;
  /** `content_blocks`, shown in place of the content. */
  readonly parts?: readonly MessagePart[];
  readonly delivery?: Delivery;
  readonly isEdited?: boolean;
}

/** A prompt's outcome, shown where the prompt was. */
export interface SettledEntry {
  readonly kind: 'settled';
  readonly id: string;
  readonly sequence?: number;
  readonly at: number;
  readonly text: string;
  readonly outcome:
    | { readonly how: 'answered'; readonly choice: string; readonly by: string; readonly allows: boolean }
    | { readonly how: 'expired'; readonly choice?: string };
}

export type Entry = MessageEntry | SettledEntry;

export const isPersons = (entry: Entry): boolean => entry.kind === 'message' && entry.role === 'user';

/** `usage` is shown beside the conversation. */
export const isShown = (entry: Entry): boolean => entry.kind !== 'message' || entry.details?.kind !== 'usage';
