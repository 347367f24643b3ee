import { expect, test } from 'vitest';
import type { Input } from './app-state.ts';
import { createStore } from './store.ts';

const link: Input = { type: 'link', state: { kind: 'connecting', attempt: 1 }, at: 0 };
const own: Input = { type: 'closing', session_id: 'a', closing: { state: 'waiting' } };

test("folds arriving inputs together; a person's action flushes them once", () => {
  const runs: { readonly run: () => void; readonly isUrgent: boolean }[] = [];
  let delivered = 0;
  const store = createStore((run, isUrgent) => runs.push({ run, isUrgent }));
  store.subscribe(() => {
    delivered += 1;
  });
  for (const input of [link, link, own, own, link]) store.put(input);
  expect(runs.map(({ isUrgent }) => isUrgent)).toEqual([false, true]);
  runs[1]?.run();
  expect([delivered, store.get().closings.size]).toEqual([1, 1]);
  runs[0]?.run();
  expect(delivered, 'nothing is left for the one that waited').toBe(1);
  store.put(link);
  expect(runs.map(({ isUrgent }) => isUrgent)).toEqual([false, true, false]);
});
