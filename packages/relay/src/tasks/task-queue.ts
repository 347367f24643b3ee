/** A task host. */
export interface Place {
  /**
   * `runtime`: a tab on the bridge. `client`: an extension that speaks the task protocol and runs tasks
   * itself.
   */
  readonly kind: 'runtime' | 'client';
  readonly id: string;
  /** Stays the same when the tab shows another page. */
  readonly key?: string;
  readonly url?: string;
  /** Busy with work that the relay cannot end (TSK-54, TSK-57). */
  readonly busy?: boolean;
}

export interface Waiting {
  readonly task_id: string;
  readonly priority: number;
  readonly created_at: number;
  readonly isOfAgent: boolean;
  readonly runtime?: string;
  readonly url?: string;
  readonly hasSchema: boolean;
  readonly hasLimits: boolean;
}

export interface Assignment {
  readonly task_id: string;
  readonly place: Place;
}

export const isNamed = ({ id, key }: Place, runtime: string): boolean => id === runtime || key === runtime;

/** Whether both are the same host, perhaps with another id by now. */
export const isSame = (one: Place, other: Place): boolean =>
  one.kind === other.kind && (one.id === other.id || (one.key !== undefined && one.key === other.key));

/** TSK-53: people's tasks before agents', then higher priority first, then in order of arrival. */
const byTurn = (one: Waiting, other: Waiting): number =>
  Number(one.isOfAgent) - Number(other.isOfAgent) ||
  other.priority - one.priority ||
  one.created_at - other.created_at;

/** Assigns waiting tasks to idle hosts. A task that no host can take blocks no other. */
export function assign(waiting: readonly Waiting[], idle: readonly Place[]): readonly Assignment[] {
  const left = [...idle];
  const assignments: Assignment[] = [];
  for (const task of waiting.toSorted(byTurn)) {
    const [place] = left.filter((each) => fits(task, each)).toSorted(byNearness(task));
    if (place === undefined) continue;
    left.splice(left.indexOf(place), 1);
    assignments.push({ task_id: task.task_id, place });
  }
  return assignments;
}

/** TSK-60: a task-protocol client returns no result that a schema could check, and counts no usage. */
function fits({ runtime, hasSchema, hasLimits }: Waiting, place: Place): boolean {
  if (place.kind === 'client' && (hasSchema || hasLimits)) return false;
  return runtime === undefined || isNamed(place, runtime);
}

/** Prefers a tab that is already on the site, then any tab, then a client. */
const byNearness =
  ({ url }: Waiting) =>
  (one: Place, other: Place): number =>
    distance(one, url) - distance(other, url);

function distance(place: Place, url: string | undefined): number {
  if (place.kind === 'client') return 2;
  return url !== undefined && originOf(place.url) === originOf(url) ? 0 : 1;
}

const originOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (URL.parse(url)?.origin ?? undefined);

/** Why a task waits, and what to do about it. */
export function waitingNote(task: Waiting, places: readonly Place[]): string {
  const { runtime, hasSchema, hasLimits } = task;
  if (places.length === 0) {
    return 'No browser is connected. Start one with drawbridge up or drawbridge browser, or pair the extension.';
  }
  if (runtime !== undefined && !places.some((place) => isNamed(place, runtime))) {
    return `Runtime ${runtime} is not connected. The task starts when it is back; cancel it to choose another.`;
  }
  if (hasSchema && places.every(({ kind }) => kind === 'client')) {
    return 'No connected client gives results that a schema can check. Connect a browser with drawbridge browser.';
  }
  if (hasLimits && places.every(({ kind }) => kind === 'client')) {
    return 'No connected client counts its usage. Connect a browser with drawbridge browser.';
  }
  return 'Every suitable browser is busy. The task starts when one is free.';
}
