import { formatAction } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { DONE, PAGE } from '../../test/task/scripted-task.ts';
import { replayTrace } from './replay.ts';
import type { StepRecord, TaskTrace } from './task-event.ts';
import type { Acted, TaskPage } from './task-page.ts';

const step = (index: number, action: string, more: Partial<StepRecord> = {}): StepRecord => ({
  index,
  action,
  status: 'ok',
  before: { url: PAGE.url },
  changes: [],
  events: [],
  ...more,
});

const trace = (...steps: StepRecord[]): TaskTrace => ({ trace: 1, query: 'Buy it', start: PAGE.url, steps });

function page(acted: Acted = DONE) {
  const acts: unknown[] = [];
  const body: TaskPage = {
    perceive: async () => ({
      ...PAGE,
      interactiveTree: [
        { i: '71', r: 'btn', n: 'Add to cart' },
        { i: '72', r: 'link', n: 'More' },
        { i: '73', r: 'link', n: 'More' },
      ],
    }),
    describe: async () => ({}),
    act: async ({ action, details }) => {
      acts.push([formatAction(action), details?.selectorPath]);
      return acted;
    },
  };
  return { acts, body };
}

test('finds elements by role and name, else by selector, and skips acts that failed', async () => {
  const { acts, body } = page();
  const report = await replayTrace(
    trace(
      step(0, 'click(7)', { subject: { role: 'btn', name: 'Add to cart', selectorPath: '#add' } }),
      step(1, 'click(8)', { status: 'failed' }),
      step(2, 'click(9)', { subject: { role: 'link', name: 'More', selectorPath: '#more-2' } }),
    ),
    body,
  );
  expect(report).toEqual({ ok: true, done: 2 });
  expect(acts).toEqual([
    ['click(71)', '#add'],
    ['click("replayed")', '#more-2'],
  ]);
});

test('takes a supplied secret, or reports the missing one', async () => {
  const secret = step(0, 'setValue(8, "•••")', { subject: { role: 'inp', name: 'Card', secret: true } });
  const { acts, body } = page();
  expect(await replayTrace(trace(secret), body)).toMatchObject({
    ok: false,
    done: 0,
    problem: { index: 0, message: expect.stringContaining('Card') },
  });
  expect(acts).toEqual([]);
  expect(await replayTrace(trace(secret), body, { secret: () => '4242' })).toMatchObject({ ok: true });
  expect(acts).toEqual([['setValue("replayed", "4242")', undefined]]);
});

test.each([
  ['https://shop.test/orders/LO-1002', true],
  ['https://shop.test/login', false],
])('it led to an order then; now it leads to %s', async (url, ok) => {
  const { body } = page({ ...DONE, after: { url } });
  const paid = step(0, 'press("Enter")', { after: { url: 'https://shop.test/orders/LO-1001' } });
  expect((await replayTrace(trace(paid), body)).ok).toBe(ok);
});
