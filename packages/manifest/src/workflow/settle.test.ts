import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import {
  hostOf,
  notFound,
  outputOf,
  run,
  scriptedPage,
  workflow,
} from '../../test/workflow/scripted-page.ts';
import { continueRun } from './driver.ts';
import { startRun } from './start.ts';

const LOCATOR = { selector: '#ready' };

const click = (rest: Partial<WorkflowStep>): WorkflowStep => ({ id: 'a', primitive: 'do.a', ...rest });
const NEXT: WorkflowStep = { id: 'b', primitive: 'do.b' };

test('[MAN-169] settle_after waits for a visible element, at most 8,000 ms, by default', async () => {
  const page = scriptedPage();
  await run(workflow([click({ settle_after: { locator: LOCATOR } }), NEXT]), { page });
  expect(page.names()).toEqual(['do.a', 'locator.wait_for', 'do.b']);
  expect(page.calls[1]?.args).toEqual({ locator: LOCATOR, state: 'visible', timeout_ms: 8000 });
});

test('[MAN-169] the step may set state and timeout_ms', async () => {
  const page = scriptedPage();
  const settle_after = { locator: LOCATOR, state: 'attached', timeout_ms: 50 } as const;
  await run(workflow([click({ settle_after })]), { page });
  expect(page.calls[1]?.args).toEqual(settle_after);
});

test('[MAN-170] settle_after with delay_ms waits that long', async () => {
  const page = scriptedPage();
  const clock = createFakeClock();
  const map = workflow([click({ settle_after: { delay_ms: 300 } }), NEXT]);
  const running = continueRun(startRun(map, {}, { now: 0 }), hostOf({ page, clock }));
  await clock.advanceAsync(299);
  expect(page.names()).toEqual(['do.a']);
  await clock.advanceAsync(1);
  expect((await running).status).toBe('done');
  expect(page.names()).toEqual(['do.a', 'do.b']);
});

test('[MAN-171] a step that failed or was skipped does not settle', async () => {
  const page = scriptedPage({ 'do.a': notFound });
  const settle_after = { locator: LOCATOR };
  const failing = click({ settle_after, on_error: 'continue' });
  await run(workflow([failing, { ...NEXT, settle_after, when: '{% false %}' }]), { page });
  expect(page.names()).toEqual(['do.a']);
});

test('[MAN-172] a settle that times out does not fail the step', async () => {
  const page = scriptedPage({ 'locator.wait_for': notFound });
  const map = workflow([click({ settle_after: { locator: LOCATOR } }), NEXT]);
  expect(await outputOf(map, { page })).toMatchObject({ steps: { a: { ok: true }, b: { ok: true } } });
  expect(page.names()).toEqual(['do.a', 'locator.wait_for', 'do.b']);
});

test('[MAN-173] an option makes a settle timeout fail the step, according to on_error', async () => {
  const options = { settleTimeoutIsFatal: true };
  const page = scriptedPage({ 'locator.wait_for': notFound });
  const map = workflow([click({ settle_after: { locator: LOCATOR } }), NEXT]);
  expect(await run(map, { page, options })).toMatchObject({
    status: 'failed',
    error: { code: 'workflow_settle_timeout', evidence: { step: 'a', failure_class: 'control_not_ready' } },
  });
  expect(page.names()).toEqual(['do.a', 'locator.wait_for']);
  const goesOn = workflow([click({ settle_after: { locator: LOCATOR }, on_error: 'continue' }), NEXT]);
  expect((await run(goesOn, { page, options })).status).toBe('done');
});
