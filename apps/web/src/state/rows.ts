import type { SendFrame } from '@drawbridge/link/chat';
import { type Entry, isPersons, isShown } from '@drawbridge/ui/model';
import { withoutBrowserCalls } from './browser-calls.ts';
import { type AskedPrompt, type AskedQuestion, type Conversation, positionOf } from './conversation.ts';
import { entryOfSend } from './conversation-fold.ts';
import { streamedEntries } from './streamed-messages.ts';

/** A row of a conversation, oldest first. */
export type ConversationRow =
  | {
      readonly kind: 'entry';
      readonly key: string;
      readonly entry: Entry;
      readonly isStarted: boolean;
      /** How many looks in a row this one is the last of. */
      readonly looks?: number;
    }
  | { readonly kind: 'start' | 'unread' | 'older_failed'; readonly key: string }
  | { readonly kind: 'prompt'; readonly key: string; readonly prompt: AskedPrompt }
  | { readonly kind: 'question'; readonly key: string; readonly question: AskedQuestion };

export interface RowsOptions {
  readonly pending: readonly SendFrame[];
  readonly dropped: readonly string[];
  /** Last message seen before the conversation was opened. */
  readonly readUpTo: string | undefined;
}

/** An agent looks before almost every step: looks in a row are one line. */
const isLook = (entry: Entry): boolean =>
  entry.kind === 'message' &&
  entry.role === 'system' &&
  entry.details?.kind === 'step' &&
  entry.details.action === 'look()' &&
  entry.details.status !== 'failed';

export function conversationRows(
  conversation: Conversation,
  { pending, dropped, readUpTo }: RowsOptions,
): readonly ConversationRow[] {
  const hidden = new Set(dropped.filter((id) => positionOf(conversation, id) !== undefined));
  const all = conversation.entries.filter((entry) => isShown(entry) && !hidden.has(entry.id));
  const shown = withoutBrowserCalls(all);
  const lastOfAgent = shown.findLastIndex((entry) => !isPersons(entry));
  const rows: ConversationRow[] = [];
  const isWhole = conversation.history.state === 'there' && conversation.history.before === undefined;
  if (isWhole && shown.length > 0) rows.push({ kind: 'start', key: 'start' });
  if (conversation.history.state === 'failed' && shown.length > 0)
    rows.push({ kind: 'older_failed', key: 'older_failed' });
  const readAt = shown.findIndex(({ id }) => id === readUpTo);
  const unreadAt = shown.findIndex((entry, at) => at > readAt && !isPersons(entry));
  // If the last read entry is further back, everything loaded is new.
  const hasRead = readAt >= 0 || (Boolean(readUpTo) && conversation.history.before !== undefined);
  shown.forEach((entry, at) => {
    if (hasRead && at === unreadAt) rows.push({ kind: 'unread', key: 'unread' });
    const last = rows.at(-1);
    const isFurtherLook = isLook(entry) && last?.kind === 'entry' && isLook(last.entry);
    // The row keeps the key of the first look, so that it stays where it is.
    if (isFurtherLook) rows[rows.length - 1] = { ...last, entry, looks: (last.looks ?? 1) + 1 };
    else rows.push({ kind: 'entry', key: entry.id, entry, isStarted: at < lastOfAgent });
  });
  for (const entry of streamedEntries(conversation.streamed))
    rows.push({ kind: 'entry', key: entry.id, entry, isStarted: false });
  for (const prompt of conversation.prompts.values())
    rows.push({ kind: 'prompt', key: `prompt ${prompt.prompt_id}`, prompt });
  for (const question of conversation.questions.values())
    rows.push({ kind: 'question', key: `question ${question.question_id}`, question });
  for (const frame of pending) {
    const entry = entryOfSend(frame);
    if (positionOf(conversation, entry.id) === undefined)
      rows.push({ kind: 'entry', key: entry.id, entry, isStarted: false });
  }
  return rows;
}
