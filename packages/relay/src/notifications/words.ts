import type { SessionRecord } from '@drawbridge/ledger';
import { maskShapes } from '@drawbridge/protocol/secrets';
import { de } from '@drawbridge/ui/german';
import { en, readPrompt, type Words } from '@drawbridge/ui/model';
import type { NoticeLanguage } from './notice.ts';

export const WORDS: Readonly<Record<NoticeLanguage, Words>> = { en, de };

/** A language tag of a device; notifications in other languages are English. */
export const noticeLanguage = (tag: unknown): NoticeLanguage =>
  typeof tag === 'string' && /^de\b/i.test(tag) ? 'de' : 'en';

const TITLE_CHARS = 100;
const BODY_CHARS = 240;
/** Length searched for secrets: longer than the shown text, so that no secret is cut in half and missed. */
const READ_CHARS = 2_000;

export const title = (text: string): string => line(maskShapes(text.slice(0, READ_CHARS)), TITLE_CHARS);
export const body = (text: string): string => line(maskShapes(text.slice(0, READ_CHARS)), BODY_CHARS);

/** "codex · web-shop" */
export function sessionLabel({
  metadata,
  session_id,
}: Pick<SessionRecord, 'metadata' | 'session_id'>): string {
  const [name = session_id] = ['display_name', 'agent_name', 'window_title', 'agent_type']
    .map((field) => metadata[field])
    .filter(isText);
  const [place] = ['workspace_name', 'machine_label'].map((field) => metadata[field]).filter(isText);
  return line(place === undefined || name.includes(place) ? name : `${name} · ${place}`, 80);
}

/** The question and its place, without the data that would leave, which only the asking screen shows. */
export function promptWords(prompt_text: string, words: Words): string {
  const read = readPrompt(prompt_text, words);
  if (read !== undefined) {
    const { headline, origin, amounts, isFinal } = read;
    const sums = amounts.map((amount) => `${words.prompt.amount}: ${amount}`);
    return [headline, origin, ...sums, ...(isFinal ? [words.prompt.undone] : [])].join(' · ');
  }
  const lines = prompt_text.split('\n');
  const data = lines.findIndex((each) => /^(?:· |Sends: |Before: |Now: )/.test(each));
  return (data === -1 ? lines : lines.slice(0, data)).join(' ');
}

/** "3 min" */
export function spanWords(ms: number, { push }: Words): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 90) return push.seconds(seconds);
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? push.minutes(minutes) : push.hours(Math.round(minutes / 60));
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Characters that break a line or reverse text, except those that join letters and emoji. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Puts text on one line, cut to `most` characters. */
export function line(text: string, most: number): string {
  const flat = text.replace(UNSEEN, ' ').trim().toWellFormed();
  const letters = [...flat.slice(0, 2 * most)];
  return letters.length <= most && flat.length <= 2 * most ? flat : `${letters.slice(0, most - 1).join('')}…`;
}
