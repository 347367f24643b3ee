import { type Audit, auditWrite, type TaskRecord } from '@drawbridge/ledger';

type Told = Pick<TaskRecord, 'task_id' | 'session_id' | 'device_id' | 'state' | 'settled_at' | 'updated_at'>;

/** Entries for the start and the end of a task, when this write of it is one. `before`: what is stored now. */
export function taskAudits(
  before: Pick<TaskRecord, 'settled_at'> | undefined,
  task: Told,
  { text, problem }: { readonly text: string | undefined; readonly problem?: string | undefined },
): readonly Audit[] {
  const { task_id, session_id: subject, device_id, state, settled_at, updated_at: at } = task;
  const started = auditWrite({ at, device_id, action: 'task_started', subject }, { task_id, text });
  const ended = { at, device_id, action: 'task_ended', subject };
  return [
    ...(before === undefined ? [started] : []),
    ...(settled_at !== null && (before?.settled_at ?? null) === null
      ? [auditWrite(ended, { task_id, text, state, problem })]
      : []),
  ];
}
