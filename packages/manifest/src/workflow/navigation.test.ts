import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import { createFakeClock } from '@drawbridge/testbed';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, hostOf, notFound, scriptedPage, workflow } from '../../test/workflow/scripted-page.ts';
import { continueRun, type RunResult } from './driver.ts';
import type { WorkflowRun } from './run.ts';
import { startRun } from './start.ts';
import { readRun } from './stored-run.ts';
import { PageLeft, type WorkflowHost } from './workflow-host.ts';

const step = (id: string, rest: Partial<WorkflowStep> = {}): WorkflowStep => ({
  id,
  primitive: `do.${id}`,
  ...rest,
});

/** A run after a round trip through storage. */
const stored = (run: WorkflowRun): WorkflowRun => readRun(JSON.stringify(run));

/** Continues a run, from storage each time, until it no longer waits for its page. */
async function throughNavigations(run: WorkflowRun, host: WorkflowHost): Promise<RunResult> {
  const result = await continueRun(run, host);
  return result.status === 'waiting_for_page' ? throughNavigations(stored(result.run), host) : result;
}

describe('a step that navigates', () => {
  test('[MAN-182] the run waits for its page, continues with the next step, and runs none twice', async () => {
    const page = scriptedPage({ 'do.a': () => new PageLeft({ clicked: true }) });
    const map = workflow([step('a'), step('b')], {
      output: '{% [steps.a.output.clicked, steps.b.output.did] %}',
    });
    const first = await continueRun(startRun(map, {}, { now: 0 }), hostOf({ page }));
    expect(first.status).toBe('waiting_for_page');
    expect(page.names()).toEqual(['do.a']);
    const second = await continueRun(stored(first.run), hostOf({ page }));
    expect(second).toMatchObject({ status: 'done', output: [true, 'do.b'] });
    expect(page.names()).toEqual(['do.a', 'do.b']);
  });

  test('[MAN-182] a step whose answer was lost with the old page counts as done and is marked so', async () => {
    const page = scriptedPage({ 'do.a': () => new PageLeft() });
    const result = await throughNavigations(
      startRun(workflow([step('a'), step('b')]), {}, { now: 0 }),
      hostOf({ page }),
    );
    expect(result).toMatchObject({ status: 'done', output: { steps: { a: { ok: true, navigated: true } } } });
    expect(page.names()).toEqual(['do.a', 'do.b']);
    expect(result.run.trace[0]).toMatchObject({ step: 'a', navigated: true });
  });

  test('[MAN-182] a host that died with the page finds the run as stored before the step', async () => {
    const saved: WorkflowRun[] = [];
    const dies = scriptedPage({ 'do.b': () => new Promise(() => {}) });
    const host = hostOf({ page: dies, host: { save: (run) => void saved.push(stored(run)) } });
    void continueRun(startRun(workflow([step('a'), step('b'), step('c')]), {}, { now: 0 }), host);
    await expect.poll(() => dies.names()).toEqual(['do.a', 'do.b']);
    const kept = saved.at(-1);
    if (kept === undefined) throw new Error('Nothing was saved.');
    const next = scriptedPage();
    expect((await continueRun(kept, hostOf({ page: next }))).status).toBe('done');
    expect(next.names()).toEqual(['do.c']);
  });

  test('[MAN-182] only a read-only primitive runs again when the page left before its answer', async () => {
    const look = step('a', { primitive: 'locator.element_info' });
    const page = scriptedPage({
      'locator.element_info': (_, nth) => (nth === 0 ? new PageLeft() : { x: 1 }),
    });
    const map = workflow([look], { output: '{% steps.a.output.x %}' });
    expect(await throughNavigations(startRun(map, {}, { now: 0 }), hostOf({ page }))).toMatchObject({
      output: 1,
    });
    expect(page.calls).toHaveLength(2);
  });

  test('[MAN-182] a settle that the navigation interrupts is repeated on the new page', async () => {
    const page = scriptedPage({
      'locator.wait_for': (_, nth) => (nth === 0 ? new PageLeft() : { matched: true }),
    });
    const a = step('a', { settle_after: { locator: { selector: 'main' } } });
    const result = await throughNavigations(
      startRun(workflow([a, step('b')]), {}, { now: 0 }),
      hostOf({ page }),
    );
    expect(result.status).toBe('done');
    expect(page.names()).toEqual(['do.a', 'locator.wait_for', 'locator.wait_for', 'do.b']);
  });

  test('[MAN-182] only the same runtime_key may continue the run', async () => {
    const run = startRun(workflow([step('a')]), {}, { now: 0, runtimeKey: 'chrome-tab:7' });
    const page = scriptedPage();
    const other = continueRun(run, hostOf({ page, host: { runtimeKey: 'chrome-tab:8' } }));
    await expect(other).rejects.toMatchObject({ code: 'state_mismatch' });
    expect(page.calls).toEqual([]);
    const same = continueRun(run, hostOf({ page, host: { runtimeKey: 'chrome-tab:7' } }));
    expect((await same).status).toBe('done');
  });

  test('[MAN-180] [MAN-182] the timeout of a run continues while it waits for its page', async () => {
    const page = scriptedPage({ 'do.a': () => new PageLeft({}) });
    const clock = createFakeClock();
    const run = startRun(workflow([step('a'), step('b')]), {}, { now: 0, timeoutMs: 1000 });
    const waiting = await continueRun(run, hostOf({ page, clock }));
    await clock.advanceAsync(1500);
    const continued = continueRun(stored(waiting.run), hostOf({ page, clock }));
    expect(await continued).toMatchObject({
      error: { code: 'handler_timeout', evidence: { elapsed_ms: 1500, step: 'b' } },
    });
    expect(page.names()).toEqual(['do.a']);
  });
});

test('[MAN-182] text that is no stored run is refused', () => {
  const run = startRun(workflow([step('a')]), {}, { now: 0 });
  expect(readRun(JSON.stringify(run))).toEqual(run);
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...run, version: 2 }),
    JSON.stringify({ ...run, plan: {} }),
  ])
    expect(() => readRun(text)).toThrow(expect.objectContaining({ code: 'invalid_workflow' }));
});

/** A step of a random workflow. */
const anyStep = (id: string): fc.Arbitrary<WorkflowStep> =>
  fc.record(
    {
      id: fc.constant(id),
      primitive: fc.constantFrom('do.work', 'do.fail', 'do.leave', 'do.flip'),
      args: fc.constantFrom(
        {},
        { n: '{% input.n %}' },
        { before: '{% $keys(steps) %}' },
        { at: '{% [index, item] %}' },
      ),
      when: fc.constantFrom('{% true %}', '{% input.n > 2 %}', '{% steps.s0.ok %}'),
      on_error: fc.constantFrom('stop' as const, 'continue' as const),
    },
    { requiredKeys: ['id', 'primitive'] },
  );

const repeating = (plain: WorkflowStep, kind: 'once' | 'each' | 'until' | 'settle'): WorkflowStep => {
  if (kind === 'each') return { ...plain, for_each: '{% [1..input.n] %}', max_items: 3 };
  const until = `{% steps.${plain.id}.output.heads %}`;
  if (kind === 'until')
    return { ...plain, retry_until: until, max_attempts: 3, after_each: { primitive: 'do.scroll' } };
  return kind === 'settle' ? { ...plain, settle_after: { locator: { selector: 'p' } } } : plain;
};

const anyWorkflow = fc
  .array(fc.constantFrom('once' as const, 'each' as const, 'until' as const, 'settle' as const), {
    maxLength: 6,
  })
  .chain((kinds) =>
    fc
      .tuple(...kinds.map((_, at) => anyStep(`s${at}`)))
      .map((steps) => workflow(steps.map((plain, at) => repeating(plain, kinds[at] ?? 'once')))),
  );

const answersWith = (leaving: unknown): Readonly<Record<string, Answer>> => ({
  'do.fail': notFound,
  'do.flip': (_, nth) => ({ heads: nth % 2 === 1 }),
  'do.leave': (_, nth) => (nth === 0 && leaving instanceof PageLeft ? leaving : { left: true }),
});

test('[MAN-182] storing and reading a run between any two effects changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkflow, fc.integer({ min: 0, max: 4 }), async (map, n) => {
      const start = () => startRun(map, { n }, { now: 0 });
      const straight = scriptedPage(answersWith({ left: true }));
      const expected = await continueRun(start(), hostOf({ page: straight }));

      const interrupted = scriptedPage(answersWith({ left: true }));
      const actual = await oneMoveAtATime(start(), hostOf({ page: interrupted }));
      expect(interrupted.calls).toEqual(straight.calls);
      expect(summary(actual)).toEqual(summary(expected));
    }),
  );
});

test('[MAN-182] with navigations, the same primitives run as often as without', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkflow, fc.integer({ min: 0, max: 4 }), async (map, n) => {
      const start = () => startRun(map, { n }, { now: 0 });
      const straight = scriptedPage(answersWith({ left: true }));
      const expected = await continueRun(start(), hostOf({ page: straight }));
      const leaving = scriptedPage(answersWith(new PageLeft({ left: true })));
      const actual = await throughNavigations(start(), hostOf({ page: leaving }));
      expect(leaving.calls).toEqual(straight.calls);
      expect(actual.status).toBe(expected.status);
    }),
  );
});

const summary = (result: RunResult) => ({
  status: result.status,
  finished: result.run.finished,
  phase: result.run.phase,
  trace: result.run.trace,
});

/** Every primitive loses its page right after answering, so that each effect starts from a stored run. */
async function oneMoveAtATime(run: WorkflowRun, host: WorkflowHost): Promise<RunResult> {
  let answered: WorkflowRun | undefined;
  const result = await continueRun(run, {
    ...host,
    save: (saved) => {
      if (!('since' in saved.phase) && answered === undefined) {
        answered = stored(saved);
        throw new Error('The host is gone.');
      }
    },
  }).catch(() => undefined);
  if (result !== undefined) return result;
  if (answered === undefined) throw new Error('The host went before anything was saved.');
  return oneMoveAtATime(answered, host);
}
