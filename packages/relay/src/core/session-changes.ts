import type { Activity, Session } from '@drawbridge/protocol';

/** `last_seen_at` is no change, because a proxy may update it every second. */
const NO_METADATA = ['status', 'activity', 'last_seen_at'];

/** CHT-122, also for fields that this relay does not know. */
export const sameMetadata = (before: Session, now: Session): boolean => isSame(before, now, NO_METADATA);

export const sameActivity = (before: Activity | undefined, now: Activity | undefined): boolean =>
  isSame(before ?? {}, now ?? {}, ['updated_at']);

/** The agent's thought goes on, and nothing else changes. */
export function isThoughtAlone(before: Session, { activity: now, status }: Session): boolean {
  const was = before.activity;
  if (status !== before.status || was?.thinking === undefined || now?.thinking === undefined) return false;
  return !sameActivity(was, now) && isSame(was, now, ['updated_at', 'thinking']);
}

function isSame(before: object, now: object, except: readonly string[]): boolean {
  const [was, is] = [fieldsOf(before, except), fieldsOf(now, except)];
  return was.size === is.size && [...is].every(([key, text]) => was.get(key) === text);
}

const fieldsOf = (holder: object, except: readonly string[]): ReadonlyMap<string, string | undefined> =>
  new Map(
    Object.entries(holder)
      .filter(([key, value]) => value !== undefined && !except.includes(key))
      .map(([key, value]) => [key, JSON.stringify(value)]),
  );

/**
 * CHT-354: an idle agent neither thinks nor does anything, but its goal stays. One stretch of work has one
 * start. CHT-371: the state of a goal stays until there is another goal.
 */
export function settledActivity(before: Activity | undefined, said: Activity): Activity {
  const now = withStart(before, said);
  const isSameGoal = now.goal !== undefined && JSON.stringify(now.goal) === JSON.stringify(before?.goal);
  const isKept = isSameGoal && now.goal_state === undefined && before?.goal_state !== undefined;
  return isKept ? { ...now, goal_state: before.goal_state } : now;
}

function withStart(before: Activity | undefined, now: Activity): Activity {
  if (now.kind !== 'idle') {
    const isSameStretch = before !== undefined && before.kind !== 'idle' && before.started_at !== undefined;
    return isSameStretch ? { ...now, started_at: before.started_at } : now;
  }
  const { thinking: _thinking, current: _current, ...rest } = now;
  return rest.goal === undefined && before?.goal !== undefined ? { ...rest, goal: before.goal } : rest;
}
