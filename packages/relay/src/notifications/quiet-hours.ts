import type { NoticePreferences, QuietHours } from '@drawbridge/protocol/http';
import { isObject } from '@drawbridge/protocol/manifest';
import { NOTICE_KINDS, type NoticeKind } from './notice.ts';

export const USUAL_PREFERENCES: NoticePreferences = { kinds: NOTICE_KINDS, quiet_hours: null };

export function isQuiet(quiet: QuietHours | null, kind: NoticeKind, now: number): boolean {
  if (quiet === null || (quiet.except_prompts && (kind === 'prompt' || kind === 'question'))) return false;
  const { from, to, timezone: timeZone } = quiet;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short', hourCycle: 'h23' }).format(
    now,
  );
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** Returns a message for invalid preferences. */
export function parsePreferences(value: Readonly<Record<string, unknown>>): NoticePreferences | string {
  const kinds = parseKinds(value['kinds']);
  if (kinds === undefined) return `"kinds" is a list of: ${NOTICE_KINDS.join(', ')}.`;
  const { quiet_hours } = value;
  if (quiet_hours === null || quiet_hours === undefined) return { kinds, quiet_hours: null };
  if (!isObject(quiet_hours)) return QUIET_SHAPE;
  const { from, to, timezone, except_prompts = true } = quiet_hours;
  if (!isTime(from) || !isTime(to) || from === to || typeof except_prompts !== 'boolean') return QUIET_SHAPE;
  if (!isTimezone(timezone)) return '"timezone" is a name of the IANA list, such as "Europe/Berlin".';
  return { kinds, quiet_hours: { from, to, timezone, except_prompts } };
}

/** Without duplicates, in canonical order; undefined for an invalid list. */
export function parseKinds(value: unknown): readonly NoticeKind[] | undefined {
  if (value === undefined) return NOTICE_KINDS;
  if (!Array.isArray(value)) return undefined;
  const kinds = NOTICE_KINDS.filter((kind) => value.includes(kind));
  return kinds.length === value.length ? kinds : undefined;
}

const QUIET_SHAPE =
  '"quiet_hours" is null, or {"from": "22:00", "to": "07:00", "timezone": "Europe/Berlin", "except_prompts": true}.';

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);

function isTimezone(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 64) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
