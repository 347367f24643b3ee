import { expect, test } from 'vitest';
import { storedInMemory } from '../../test/interact/tab-tasks.ts';
import { createTabSessions } from './tab-sessions.ts';

test('[INT-151] each tab keeps its session across navigations and worker restarts', async () => {
  const storage = storedInMemory();
  const sessions = createTabSessions(storage);
  await Promise.all([sessions.use(1, 'one'), sessions.use(2, 'two'), sessions.use(3, 'three')]);
  expect(await sessions.of(1)).toBe('one');
  expect(await sessions.of(2)).toBe('two');
  const later = createTabSessions(storage);
  expect(await later.all()).toEqual({ 1: 'one', 2: 'two', 3: 'three' });
  await later.use(2, 'another');
  await later.use(3, null);
  expect(await later.all()).toEqual({ 1: 'one', 2: 'another' });
  expect(await later.of(9)).toBeUndefined();
  await later.clear();
  expect(await later.all()).toEqual({});
});

test('[INT-153] forgets a closed tab: the same id later gets a new session', async () => {
  const sessions = createTabSessions(storedInMemory());
  await sessions.use(1, 'one');
  await sessions.use(2, 'two');
  await sessions.closed(1);
  expect(await sessions.of(1)).toBeUndefined();
  expect(await sessions.of(2)).toBe('two');
});
