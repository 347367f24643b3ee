/** A task host. */
export interface TaskHost {
  /**
   * `runtime`: a tab on the bridge. `client`: an extension that speaks the task protocol and runs tasks
   * itself.
   */
  readonly kind: 'runtime' | 'client';
  readonly id: string;
  /** Stays the same when the tab shows another page. */
  readonly key?: string;
  readonly url?: string;
  /** No heartbeat lately: every other tab is preferred, and this one is asked before a task starts there. */
  readonly isQuiet?: boolean;
  /** Did not answer before a task: gets none until it sends something (TSK-66). */
  readonly isSilent?: boolean;
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
  readonly host: TaskHost;
}

export const isNamed = ({ id, key }: TaskHost, runtime: string): boolean => id === runtime || key === runtime;

/** Whether both are the same host, perhaps with another id by now. */
export const isSame = (one: TaskHost, other: TaskHost): boolean =>
  one.kind === other.kind && (one.id === other.id || (one.key !== undefined && one.key === other.key));

/** TSK-53: people's tasks before agents', then higher priority first, then in order of arrival. */
const byPriority = (one: Waiting, other: Waiting): number =>
  Number(one.isOfAgent) - Number(other.isOfAgent) ||
  other.priority - one.priority ||
  one.created_at - other.created_at;

/** Assigns waiting tasks to idle hosts. A task that no host can take blocks no other. */
export function assign(waiting: readonly Waiting[], idle: readonly TaskHost[]): readonly Assignment[] {
  const left = [...idle];
  const assignments: Assignment[] = [];
  for (const task of waiting.toSorted(byPriority)) {
    const [host] = left.filter((each) => fits(task, each)).toSorted(byNearness(task));
    if (host === undefined) continue;
    left.splice(left.indexOf(host), 1);
    assignments.push({ task_id: task.task_id, host });
  }
  return assignments;
}

/** TSK-60: a task-protocol client returns no result that a schema could check, and counts no usage. */
function fits({ runtime, hasSchema, hasLimits }: Waiting, host: TaskHost): boolean {
  if (host.isSilent === true) return false;
  if (host.kind === 'client' && (hasSchema || hasLimits)) return false;
  return runtime === undefined || isNamed(host, runtime);
}

/** Prefers a tab that is already on the site, then any tab, then a quiet tab, then a client. */
const byNearness =
  ({ url }: Waiting) =>
  (one: TaskHost, other: TaskHost): number =>
    distance(one, url) - distance(other, url);

function distance(host: TaskHost, url: string | undefined): number {
  if (host.kind === 'client') return 3;
  const isOnSite = url !== undefined && originOf(host.url) === originOf(url);
  return (isOnSite ? 0 : 1) + (host.isQuiet === true ? 1.5 : 0);
}

const originOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (URL.parse(url)?.origin ?? undefined);

/** Why a task waits, and what to do about it. */
export function waitingReason(task: Waiting, hosts: readonly TaskHost[]): string {
  const { runtime, hasSchema, hasLimits } = task;
  if (hosts.length === 0) {
    return 'No browser is connected. Start one with drawbridge up or drawbridge browser, or pair the extension.';
  }
  if (runtime !== undefined && !hosts.some((host) => isNamed(host, runtime))) {
    return `The chosen tab (${runtime}) is not connected. The task starts when it is back; cancel it to choose another.`;
  }
  if (hasSchema && hosts.every(({ kind }) => kind === 'client')) {
    return 'No connected client gives results that a schema can check. Connect a browser with drawbridge browser.';
  }
  if (hasLimits && hosts.every(({ kind }) => kind === 'client')) {
    return 'No connected client counts its usage. Connect a browser with drawbridge browser.';
  }
  const suitable = hosts.filter((host) => runtime === undefined || isNamed(host, runtime));
  if (suitable.every(({ isSilent }) => isSilent === true)) {
    return 'The lent tab does not answer. Open it in its browser, or reload it; or lend another tab. The task starts then.';
  }
  return 'Every suitable browser is busy. The task starts when one is free.';
}
