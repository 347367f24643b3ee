import { expect, test } from 'vitest';
import { assign, type TaskHost, waitingReason } from './task-queue.ts';

const url = 'https://shop.example/lamps';
const task = {
  ...{ task_id: 't1', priority: 0, created_at: 0, isOfAgent: false, url },
  ...{ hasSchema: false, hasLimits: false },
};
const tab = (id: string, more: Partial<TaskHost> = {}): TaskHost => ({ kind: 'runtime', id, ...more });
const chosen = (...idle: TaskHost[]) => assign([task], idle)[0]?.host.id;

test('[TSK-66] a quiet tab gets a task only before a client, and one that did not answer gets none', () => {
  const silent = tab('silent', { url, isQuiet: true });
  const client: TaskHost = { kind: 'client', id: 'client' };
  expect(chosen(silent, tab('other'), client)).toBe('other');
  expect(chosen(tab('other'), tab('on the site', { url }))).toBe('on the site');
  expect(chosen(client, silent)).toBe('silent');
  expect(chosen(client)).toBe('client');
  const dead = tab('dead', { url, isQuiet: true, isSilent: true });
  expect(chosen(dead)).toBeUndefined();
  expect(chosen(dead, client)).toBe('client');
  expect(waitingReason(task, [dead])).toContain('does not answer');
  expect(waitingReason(task, [dead, { ...tab('busy'), busy: true }])).toContain('busy');
});
