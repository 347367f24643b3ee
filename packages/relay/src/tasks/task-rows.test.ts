import type { TaskRecord } from '@drawbridge/ledger';
import { expect, test } from 'vitest';
import { openTaskService } from '../../test/tasks/tasks-harness.ts';
import { createTaskRows } from './task-rows.ts';

const NEW: Omit<TaskRecord, 'revision'> = {
  task_id: 't1',
  session_id: 's1',
  device_id: 'd1',
  state: 'queued',
  priority: 0,
  body: { kind: 'mine', count: 0 },
  created_at: 1,
  updated_at: 1,
  settled_at: null,
};

async function openRows() {
  const { ledger, sessions } = await openTaskService();
  await sessions.open({ session_id: 's1', title: 'A task' });
  const rows = createTaskRows({ ledger, sessions });
  const audits = async () =>
    (await ledger.auditBefore(Number.MAX_SAFE_INTEGER, 10))
      .map(({ action, detail }) => [action, detail['text']])
      .toReversed();
  return { ledger, sessions, rows, audits };
}

const counted = (row: TaskRecord) => ({
  ...row,
  body: { ...row.body, count: Number(row.body['count']) + 1 },
});

test('stores every one of many changes made at once, each on top of the one before', async () => {
  const { rows, ledger } = await openRows();
  await rows.add({ row: NEW });
  let made = 0;
  const change = () =>
    rows.change('t1', (row) => {
      made += 1;
      return row && { row: counted(row) };
    });
  await Promise.all(Array.from({ length: 20 }, change));
  expect(await ledger.task('t1')).toMatchObject({ revision: 21, body: { count: 20 } });
  expect(made).toBeGreaterThan(20);
});

test('stores a task of one id once, and nothing for an undefined change', async () => {
  const { rows } = await openRows();
  const both = await Promise.all([rows.add({ row: NEW }), rows.add({ row: NEW })]);
  expect(both.filter((row) => row !== undefined)).toHaveLength(1);
  expect(await rows.change('t1', () => undefined)).toMatchObject({ revision: 1 });
  expect(await rows.change('other', () => undefined)).toBeUndefined();
});

test('audits the start and the end of a task once, with its order', async () => {
  const { rows, audits } = await openRows();
  await rows.add({ row: NEW, text: 'Buy tea.' });
  await rows.change('t1', (row) => row && { row: counted(row), text: 'Buy tea.' });
  const end = (row: TaskRecord | undefined) =>
    row && { row: { ...row, state: 'failed' as const, settled_at: 5 }, text: 'Buy tea.' };
  await rows.change('t1', end);
  await rows.change('t1', end);
  expect(await audits()).toEqual([
    ['task_started', 'Buy tea.'],
    ['task_ended', 'Buy tea.'],
  ]);
});

test('lists the open tasks of a session, of this start and of the one before', async () => {
  const { rows, ledger, sessions } = await openRows();
  await rows.add({ row: NEW });
  await rows.add({ row: { ...NEW, task_id: 't2', body: {} } });
  expect(rows.openIn('s1').map(({ task_id, kind }) => [task_id, kind])).toEqual([
    ['t1', 'mine'],
    ['t2', undefined],
  ]);
  await rows.change('t1', (row) => row && { row: { ...row, state: 'completed', settled_at: 9 } });
  const later = createTaskRows({ ledger, sessions });
  expect(later.openIn('s1')).toEqual([]);
  await later.open();
  for (const each of [rows, later]) expect(each.openIn('s1').map(({ task_id }) => task_id)).toEqual(['t2']);
  expect(rows.openIn('s2')).toEqual([]);
});

test('does not list a task as open that settled while the open ones were read', async () => {
  const { ledger, sessions } = await openRows();
  const { promise: read, resolve: reads } = Promise.withResolvers<void>();
  const { promise: slow, resolve: answers } = Promise.withResolvers<void>();
  const openTasks = async () => {
    const found = await ledger.openTasks();
    reads();
    await slow;
    return found;
  };
  const task: typeof ledger.task = (id) => ledger.task(id);
  const rows = createTaskRows({ ledger: { task, openTasks }, sessions });
  await rows.add({ row: NEW });
  await rows.add({ row: { ...NEW, task_id: 't2' } });
  const listed = rows.open();
  await read;
  await rows.change('t1', (row) => row && { row: { ...row, state: 'completed', settled_at: 9 } });
  answers();
  expect((await listed).map(({ task_id }) => task_id)).toEqual(['t2']);
  expect(rows.openIn('s1').map(({ task_id }) => task_id)).toEqual(['t2']);
});

test('gives up a change whose messages the ledger refuses, and stores no part of it', async () => {
  const { rows, ledger } = await openRows();
  await rows.add({ row: NEW });
  const messages = [{ message_id: 'm', role: 'system', content: 'Done.' } as const];
  const change = rows.change(
    't1',
    (row) => row && { row: { ...counted(row), session_id: 'gone' }, messages },
  );
  await expect(change).rejects.toThrow('The task could not be stored: ');
  expect(await ledger.task('t1')).toMatchObject({ revision: 1, body: { count: 0 } });
});
