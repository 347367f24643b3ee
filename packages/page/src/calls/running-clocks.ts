/** Times that keep changing while a person reads: `04:59`, `12:30:05`, `4 min 59 s`, `5 minutes ago`. */
const TIME =
  /\d{1,3}(?:\s?:\s?\d{2}){1,2}(?!\d)|\d{1,4}\s?(?:hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|sec|s|stunden?|std|minuten?|sekunden?|sek|heures?|secondes?|horas?|minutos?|segundos?)(?!\p{L})/giu;
/** A clock without seconds moves a whole minute. */
const SLACK_S = 60;
const UNITS: readonly [RegExp, number][] = [
  [/\d\s?(?:h|st)/i, 3_600],
  [/\d\s?m/i, 60],
];

/** A clock that jumps further than the elapsed time counts as a change. */
export function sameButForClocks(before: string, now: string, elapsedMs: number): boolean {
  if (before === now) return true;
  const [one, other] = [before, now].map(withoutTimes);
  if (one !== other) return false;
  const times = before.match(TIME) ?? [];
  const later = now.match(TIME) ?? [];
  const most = elapsedMs / 1_000 + SLACK_S;
  return times.every((time, at) => Math.abs(secondsOf(time) - secondsOf(later[at] ?? '')) <= most);
}

/** Replaces a time whatever its number of digits: `10 s` becomes `9 s`, `1 minute` becomes `2 minutes`. */
export const withoutTimes = (text: string): string => text.replace(TIME, '⏱');

/** Two parts are minutes and seconds: as hours and minutes, the tolerated jump would be sixty times as long. */
function secondsOf(time: string): number {
  if (time.includes(':')) return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const unit = UNITS.find(([pattern]) => pattern.test(time))?.[1] ?? 1;
  return Number.parseInt(time, 10) * unit;
}
