import { taskOf } from '../rows/record-rows.ts';
import type { PutTabSession, PutTask } from '../writes.ts';
import type { Writer } from './chains.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';

export function putTask({ one, run, chains }: Writer, write: PutTask): { readonly revision: number } {
  const { task, if_revision } = write;
  const { session } = chains.of(task.session_id);
  const row = one(QUERIES.task, task.task_id);
  const there = row === undefined ? undefined : taskOf(row);
  if ((there?.revision ?? 0) !== if_revision) throw new Refused({ reason: 'task_changed', task: there });
  const revision = if_revision + 1;
  run(
    `INSERT INTO tasks
       (task_id, session, device_id, state, priority, body, revision, created_at, updated_at, settled_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (task_id) DO UPDATE SET
       session = excluded.session, device_id = excluded.device_id, state = excluded.state,
       priority = excluded.priority, body = excluded.body, revision = excluded.revision,
       created_at = excluded.created_at, updated_at = excluded.updated_at, settled_at = excluded.settled_at`,
    task.task_id,
    session,
    task.device_id,
    task.state,
    task.priority,
    JSON.stringify(task.body),
    revision,
    task.created_at,
    task.updated_at,
    task.settled_at,
  );
  return { revision };
}

export function putTabSession({ run, chains }: Writer, { session: tab }: PutTabSession): null {
  const { session } = chains.of(tab.session_id);
  run(
    `INSERT OR REPLACE INTO tab_sessions
       (session, device_id, domain, url, title, is_renamed, tab_id, metadata, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    tab.device_id,
    tab.domain,
    tab.url,
    tab.title,
    tab.is_renamed ? 1 : 0,
    tab.tab_id,
    JSON.stringify(tab.metadata),
    tab.created_at,
    tab.updated_at,
  );
  return null;
}
