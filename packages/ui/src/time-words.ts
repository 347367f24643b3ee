import type { Words } from './words/en.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A rounded span: `now`, `3 min`, `2 h`, `4 d`. */
export function span(ms: number, { time }: Words): string {
  const size = Math.abs(ms);
  if (size < MINUTE_MS) return time.now;
  if (size < HOUR_MS) return time.minutes(Math.floor(size / MINUTE_MS));
  if (size < DAY_MS) return time.hours(Math.floor(size / HOUR_MS));
  return time.days(Math.floor(size / DAY_MS));
}

/** `3 min ago`, `in 2 h`, `now`. */
export function relative(at: number, now: number, words: Words): string {
  const ms = now - at;
  const said = span(ms, words);
  if (said === words.time.now) return said;
  return ms > 0 ? words.time.ago(said) : words.time.in(said);
}

export const exactTime = (at: number, { locale }: Words): string =>
  new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' });

export const clockTime = (at: number, { locale }: Words): string =>
  new Date(at).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });

/** `6:38 PM`, with the date on another day than now. */
export const dueTime = (at: number, now: number, words: Words): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? clockTime(at, words)
    : new Date(at).toLocaleString(words.locale, { dateStyle: 'medium', timeStyle: 'short' });

/** `850`, `12.4 k`, `1.2 M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)} k`;
  return `${(count / 1_000_000).toFixed(1)} M`;
}
