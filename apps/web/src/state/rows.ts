import type { SendFrame } from '@drawbridge/link/chat';
import { type Entry, isPersons, isShown, type MessageEntry } from '@drawbridge/ui/model';
import type { AskedPrompt, AskedQuestion, Talk } from './talk.ts';
import { entryOfSend } from './talk-fold.ts';

/** One line of a conversation on the screen, the oldest first. */
export type TalkRow =
  | { readonly kind: 'entry'; readonly key: string; readonly entry: Entry; readonly isStarted: boolean }
  | { readonly kind: 'start' | 'unread'; readonly key: string }
  | { readonly kind: 'prompt'; readonly key: string; readonly prompt: AskedPrompt }
  | { readonly kind: 'question'; readonly key: string; readonly question: AskedQuestion };

export interface RowsOptions {
  readonly pending: readonly SendFrame[];
  readonly dropped: readonly string[];
  /** The last message that was seen before the conversation was opened. */
  readonly readUpTo: string | undefined;
}

export function talkRows(talk: Talk, { pending, dropped, readUpTo }: RowsOptions): readonly TalkRow[] {
  const hidden = new Set(dropped);
  const shown = talk.entries.filter((entry) => isShown(entry) && !hidden.has(entry.id));
  const lastOfAgent = shown.findLastIndex((entry) => !isPersons(entry));
  const rows: TalkRow[] = [];
  const isWhole = talk.history.state === 'there' && talk.history.before === undefined;
  if (isWhole && shown.length > 0) rows.push({ kind: 'start', key: 'start' });
  const readAt = readUpTo === undefined ? -1 : shown.findIndex(({ id }) => id === readUpTo);
  const unreadAt = shown.findIndex((entry, at) => at > readAt && !isPersons(entry));
  shown.forEach((entry, at) => {
    if (readAt >= 0 && at === unreadAt) rows.push({ kind: 'unread', key: 'unread' });
    rows.push({ kind: 'entry', key: entry.id, entry, isStarted: at < lastOfAgent });
  });
  for (const prompt of talk.prompts.values())
    rows.push({ kind: 'prompt', key: `prompt ${prompt.prompt_id}`, prompt });
  for (const question of talk.questions.values())
    rows.push({ kind: 'question', key: `question ${question.question_id}`, question });
  const there = new Set(shown.map(({ id }) => id));
  for (const frame of pending) {
    const entry = entryOfSend(frame);
    if (!there.has(entry.id)) rows.push({ kind: 'entry', key: entry.id, entry, isStarted: false });
  }
  return rows;
}

type Details<Kind extends NonNullable<MessageEntry['details']>['kind']> = Extract<
  MessageEntry['details'],
  { kind: Kind }
>;

/** The newest plan, and how much of the agent's window is used. */
export function planOf({ entries }: Talk): Details<'plan'> | undefined {
  const found = entries.findLast((entry) => entry.kind === 'message' && entry.details?.kind === 'plan');
  return found?.kind === 'message' && found.details?.kind === 'plan' ? found.details : undefined;
}

export function usageOf({ entries }: Talk): Details<'usage'> | undefined {
  const found = entries.findLast((entry) => entry.kind === 'message' && entry.details?.kind === 'usage');
  return found?.kind === 'message' && found.details?.kind === 'usage' ? found.details : undefined;
}
