import type { ChatFrame, MessageDetails } from '@drawbridge/protocol';

export type OpenPrompt = NonNullable<Extract<ChatFrame, { type: 'connection_ack' }>['open_prompts']>[number];
export type OpenQuestion = Pick<
  Extract<ChatFrame, { type: 'agent_question' }>,
  'question_id' | 'text' | 'form' | 'expires_at'
>;
export type Attachment = NonNullable<Extract<ChatFrame, { type: 'send_message' }>['attachments']>[number];

/** How far a person's message has come. It never goes back (CHT-154). */
export type Delivery =
  | { readonly status: 'queued' }
  | { readonly status: 'accepted' | 'delivered'; readonly at?: number }
  /** `isUnknown`: nobody can tell whether it arrived (CHT-160). */
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
  /** Where it stands in the ledger, if that was told: what is older can be asked for before it. */
  readonly sequence?: number;
  readonly role: string;
  readonly content: string;
  readonly at: number;
  readonly attachments: readonly Attachment[];
  readonly details?: MessageDetails;
  readonly delivery?: Delivery;
  readonly isEdited?: boolean;
}

/** What became of a prompt, where it stood. */
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

/** `usage` is told beside the conversation, not in it. */
export const isShown = (entry: Entry): boolean => entry.kind !== 'message' || entry.details?.kind !== 'usage';
