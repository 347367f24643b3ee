import { RecentMap } from '@drawbridge/base';
import { type Audit, auditWrite, type Ledger, type TaskRecord, type Write } from '@drawbridge/ledger';
import type { AgentMessage, AgentSessions } from '../interact/agent-sessions.ts';

/** Stored together or not at all. */
export interface RowChange {
  /** A revision in it is ignored. */
  readonly row: Omit<TaskRecord, 'revision'> & Partial<Pick<TaskRecord, 'revision'>>;
  /** For the audit of a start or an end: the order, and what went wrong. */
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
  readonly messages?: readonly AgentMessage[];
  readonly writes?: readonly Write[];
}

export interface OpenRow extends Pick<TaskRecord, 'task_id' | 'session_id'> {
  /** `body.kind`, by which interact knows its own tasks. */
  readonly kind: unknown;
}

/** The one owner of the rows of tasks: whatever interact and the task API change goes through here. */
export interface TaskRows {
  /** Undefined when the id already exists. */
  readonly add: (change: RowChange) => Promise<TaskRecord | undefined>;
  /**
   * Stores the change that `make` makes of the row, which is undefined before the first. When somebody else
   * changed it first, `make` gets the new one. An undefined change stores nothing.
   */
  readonly change: (
    task_id: string,
    make: (row: TaskRecord | undefined) => RowChange | undefined | Promise<RowChange | undefined>,
  ) => Promise<TaskRecord | undefined>;
  /** Reads the open tasks, oldest first. */
  readonly open: () => Promise<readonly TaskRecord[]>;
  /** Open tasks of a session, of those read or stored here. */
  readonly openIn: (session_id: string) => readonly OpenRow[];
}

export interface TaskRowsOptions {
  readonly ledger: Pick<Ledger, 'task' | 'openTasks'>;
  readonly sessions: Pick<AgentSessions, 'appendMessages'>;
}

/** Tasks whose last revision is remembered: more than change during one read of the open ones. */
const MAX_REMEMBERED = 10_000;
/** For refusals that are no change of the row, such as a deleted session. */
const TRIES = 5;

export function createTaskRows({ ledger, sessions }: TaskRowsOptions): TaskRows {
  const open = new Map<string, OpenRow>();
  const revisions = new RecentMap<string, number>(MAX_REMEMBERED);

  const record = ({ task_id, session_id, revision, settled_at, body }: TaskRecord): void => {
    // A read of the open tasks may end after a change that it does not contain.
    if (revision < (revisions.get(task_id) ?? 0)) return;
    revisions.set(task_id, revision);
    if (settled_at === null) open.set(task_id, { task_id, session_id, kind: body['kind'] });
    else open.delete(task_id);
  };

  const put = async (before: TaskRecord | undefined, { row, text, problem, ...more }: RowChange) => {
    const { revision: _, ...task } = row;
    const if_revision = before?.revision ?? 0;
    const outcome = await sessions.appendMessages(task.session_id, more.messages ?? [], [
      { do: 'put_task', task, if_revision },
      ...taskAudits(before, task, { text, problem }),
      ...(more.writes ?? []),
    ]);
    if (!outcome.committed) return outcome.refusal;
    const stored = { ...task, revision: if_revision + 1 };
    record(stored);
    return { stored };
  };

  const problemOf = (reason: string): Error => new Error(`The task could not be stored: ${reason}.`);

  return {
    async add(change) {
      const outcome = await put(undefined, change);
      if ('stored' in outcome) return outcome.stored;
      if (outcome.reason === 'task_changed') return undefined;
      throw problemOf(outcome.reason);
    },
    async change(task_id, make) {
      for (let refusals = 0; ; ) {
        const before = await ledger.task(task_id);
        const change = await make(before);
        if (change === undefined) return before;
        const outcome = await put(before, change);
        if ('stored' in outcome) return outcome.stored;
        if (outcome.reason !== 'task_changed') refusals += 1;
        if (refusals === TRIES) throw problemOf(outcome.reason);
      }
    },
    async open() {
      const rows = await ledger.openTasks();
      for (const row of rows) record(row);
      return rows.filter(({ task_id }) => open.has(task_id));
    },
    openIn: (session_id) => [...open.values()].filter((row) => row.session_id === session_id),
  };
}

type Told = Pick<TaskRecord, 'task_id' | 'session_id' | 'device_id' | 'state' | 'settled_at' | 'updated_at'>;

/** Entries for the start and the end of a task, when this write of it is one. `before`: what is stored now. */
function taskAudits(
  before: Pick<TaskRecord, 'settled_at'> | undefined,
  task: Told,
  { text, problem }: { readonly text: string | undefined; readonly problem?: string | undefined },
): readonly Audit[] {
  const { task_id, session_id: subject, device_id, state, settled_at, updated_at: at } = task;
  const started = auditWrite({ at, device_id, action: 'task_started' as const, subject }, { task_id, text });
  const ended = { at, device_id, action: 'task_ended' as const, subject };
  return [
    ...(before === undefined ? [started] : []),
    ...(settled_at !== null && (before?.settled_at ?? null) === null
      ? [auditWrite(ended, { task_id, text, state, problem })]
      : []),
  ];
}
