import { BridgeError, onAbort } from '@drawbridge/protocol';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import { createFakeClock, createGate } from '@drawbridge/testbed';
import { describe, expect, test, vi } from 'vitest';
import {
  errorOf,
  hostOf,
  notFound,
  outputOf,
  run,
  scriptedPage,
  workflow,
} from '../../test/workflow/scripted-page.ts';
import { continueRun } from './driver.ts';
import { startRun } from './start.ts';

const step = (id: string, rest: Partial<WorkflowStep> = {}): WorkflowStep => ({
  id,
  primitive: `do.${id}`,
  ...rest,
});
const STEPS = [step('a'), step('b'), step('c')];

describe('errors', () => {
  test('[MAN-174] a failed step ends the workflow, and the error names the step and its failure class', async () => {
    const page = scriptedPage({ 'do.b': notFound });
    expect(await errorOf(workflow(STEPS), { page })).toMatchObject({
      code: 'workflow_step_failed',
      message: 'Step "b" (do.b) failed: The element is not on the page.',
      recoverable: true,
      evidence: {
        step: 'b',
        primitive: 'do.b',
        failure_class: 'target_not_found',
        error: { code: 'target_not_found' },
      },
    });
    expect(page.names()).toEqual(['do.a', 'do.b']);
  });

  test('[MAN-174] an unexpected error becomes a coded error that names the step', async () => {
    const page = scriptedPage({
      'do.a': () => {
        throw new TypeError('undefined is not a function');
      },
    });
    expect(await errorOf(workflow(STEPS), { page })).toMatchObject({
      code: 'workflow_step_failed',
      evidence: {
        step: 'a',
        error: { code: 'handler_failed', message: 'It failed unexpectedly (TypeError).' },
      },
    });
  });

  test('[MAN-174] an overlay in the way and a control that is not ready have different classes', async () => {
    const classOf = async (error: BridgeError) => {
      const page = scriptedPage({
        'do.a': () => {
          throw error;
        },
      });
      return (await errorOf(workflow(STEPS), { page })).evidence['failure_class'];
    };
    const occluded = new BridgeError('handler_failed', 'covered', {
      evidence: { occluded_by: 'div.cookie' },
    });
    expect(await classOf(occluded)).toBe('overlay_interference');
    expect(await classOf(new BridgeError('state_mismatch', 'disabled'))).toBe('control_not_ready');
    expect(await classOf(new BridgeError('permission_denied', 'no'))).toBeUndefined();
  });

  test('[MAN-175] with on_error continue the next step runs, and the result marks the failed one', async () => {
    const page = scriptedPage({ 'do.b': notFound });
    const map = workflow([step('a'), step('b', { on_error: 'continue' }), step('c')], {
      output: '{% {"ok": steps.b.ok, "why": steps.b.error.evidence.error.code} %}',
    });
    expect(await outputOf(map, { page })).toEqual({ ok: false, why: 'target_not_found' });
    expect(page.names()).toEqual(['do.a', 'do.b', 'do.c']);
  });

  test('[MAN-49] a primitive that the page does not know fails its step at run time', async () => {
    const page = scriptedPage({
      'do.b': () => {
        throw new BridgeError('unknown_action', 'No primitive is called do.b.');
      },
    });
    expect((await errorOf(workflow(STEPS), { page })).evidence).toMatchObject({
      step: 'b',
      error: { code: 'unknown_action' },
    });
  });
});

describe('output', () => {
  test('[MAN-176] the result is output, evaluated after the last step', async () => {
    const map = workflow(STEPS, { output: { done: true, last: ['{% steps.c.output.did %}'] } });
    expect(await outputOf(map)).toEqual({ done: true, last: ['do.c'] });
  });

  test('[MAN-176] without output the result has the result of each step', async () => {
    expect(await outputOf(workflow([step('a'), step('b')]))).toEqual({
      steps: { a: { ok: true, output: { did: 'do.a' } }, b: { ok: true, output: { did: 'do.b' } } },
    });
  });

  test('[MAN-176] an output that fails to evaluate is an error, though every step succeeded', async () => {
    const error = await errorOf(workflow(STEPS, { output: '{% $error("no") %}' }));
    expect(error).toMatchObject({
      code: 'workflow_output_failed',
      evidence: { error: { code: 'expression_evaluation_failed' } },
    });
  });

  test('[MAN-177] the output of one expression is limited to 16,000 bytes by default', async () => {
    const map = workflow([step('a', { args: { text: '{% $pad("", 15998) %}' } })], { output: 'ok' });
    expect(await outputOf(map)).toBe('ok');
    const larger = workflow([step('a', { args: { text: '{% $pad("", 15999) %}' } })], { output: 'ok' });
    expect(await errorOf(larger)).toMatchObject({
      code: 'expression_output_too_large',
      evidence: { step: 'a' },
    });
    expect(await outputOf(larger, { options: { limits: { maxExpressionBytes: 20_000 } } })).toBe('ok');
  });

  test('[MAN-178] the output of a workflow is limited to 32,000 bytes by default', async () => {
    const text = '{% $pad("", 15990) %}';
    expect(await outputOf(workflow(STEPS, { output: [text, text] }))).toHaveLength(2);
    const larger = workflow(STEPS, { output: [text, text, text] });
    expect(await errorOf(larger)).toMatchObject({
      code: 'workflow_output_too_large',
      evidence: { limit: 32_000 },
    });
    expect(await outputOf(larger, { options: { limits: { maxOutputBytes: 50_000 } } })).toHaveLength(3);
    const page = scriptedPage({ 'do.a': () => 'x'.repeat(40_000) });
    expect((await errorOf(workflow(STEPS), { page })).code).toBe('workflow_output_too_large');
  });
});

describe('postcondition', () => {
  const map = workflow(STEPS, { postcondition: 'shop.cart', output: 'added' });

  test('[MAN-179] is checked after the steps, with their results', async () => {
    const page = scriptedPage();
    const checkPostcondition = vi.fn(async () => void page.calls.push({ name: 'check', args: {} }));
    expect(await outputOf(map, { page, input: { n: 1 }, host: { checkPostcondition } })).toBe('added');
    expect(page.names()).toEqual(['do.a', 'do.b', 'do.c', 'check']);
    expect(checkPostcondition).toHaveBeenCalledWith(
      'shop.cart',
      expect.objectContaining({ input: { n: 1 }, output: 'added' }),
    );
  });

  test('[MAN-179] fails the call when it does not hold, though every step succeeded', async () => {
    const checkPostcondition = async () => {
      throw new BridgeError('state_postcondition_failed', 'The cart is empty.');
    };
    expect((await errorOf(map, { host: { checkPostcondition } })).code).toBe('state_postcondition_failed');
  });

  test('[MAN-179] fails on a host that cannot check it', async () => {
    expect((await errorOf(map)).code).toBe('capability_unavailable');
  });
});

describe('timeout and cancellation', () => {
  const slow = () => {
    const gate = createGate();
    const page = scriptedPage({ 'do.b': () => gate.passed() });
    return { gate, page };
  };

  test('[MAN-180] a timeout starts no further step, and reports the elapsed time and the current step', async () => {
    const { gate, page } = slow();
    const clock = createFakeClock(1000);
    const started = startRun(workflow(STEPS), {}, { now: 1000, timeoutMs: 500 });
    const running = continueRun(started, hostOf({ page, clock }));
    await clock.advanceAsync(500);
    expect(await running).toMatchObject({
      status: 'failed',
      error: { code: 'handler_timeout', evidence: { elapsed_ms: 500, step: 'b', step_index: 1 } },
    });
    gate.open();
    await clock.advanceAsync(10_000);
    expect(page.names()).toEqual(['do.a', 'do.b']);
    expect(clock.pending()).toBe(0);
  });

  test('[MAN-180] a cancellation does the same, and reaches the running primitive', async () => {
    const { page } = slow();
    const cancelling = new AbortController();
    const { signal } = cancelling;
    let delivered = false;
    const clock = createFakeClock();
    const host = hostOf({ page, clock, host: { signal } });
    const running = continueRun(startRun(workflow(STEPS), {}, { now: 0 }), {
      ...host,
      runPrimitive: (name, args, stop) => {
        onAbort(stop, () => {
          delivered = true;
        });
        return host.runPrimitive(name, args, stop);
      },
    });
    await clock.advanceAsync(70);
    cancelling.abort();
    expect(await running).toMatchObject({
      status: 'failed',
      error: { code: 'cancelled', evidence: { elapsed_ms: 70, step: 'b' } },
    });
    expect(delivered).toBe(true);
    expect(page.names()).toEqual(['do.a', 'do.b']);
  });

  test('[MAN-180] a run that is cancelled before it starts runs nothing', async () => {
    const page = scriptedPage();
    const cancelling = new AbortController();
    const { signal } = cancelling;
    cancelling.abort();
    const error = await errorOf(workflow(STEPS), { page, host: { signal } });
    expect(error).toMatchObject({ code: 'cancelled', evidence: { step: 'a', elapsed_ms: 0 } });
    expect(page.calls).toEqual([]);
  });

  test('[MAN-180] a run that ends in time leaves no timer', async () => {
    const clock = createFakeClock();
    expect((await run(workflow(STEPS), { clock, options: { timeoutMs: 500 } })).status).toBe('done');
    expect(clock.pending()).toBe(0);
  });
});

describe('trace', () => {
  test('[MAN-181] has the arguments, the output and the duration of each step', async () => {
    const clock = createFakeClock();
    const page = scriptedPage({
      'do.a': () => {
        clock.advance(40);
        return { x: 1 };
      },
    });
    const map = workflow([step('a', { args: { q: '{% input.q %}' } }), step('b', { when: '{% false %}' })]);
    const { trace } = (await run(map, { page, clock, input: { q: 'shoes' } })).run;
    expect(trace).toEqual([
      { step: 'a', kind: 'step', primitive: 'do.a', ms: 40, args: { q: 'shoes' }, output: { x: 1 } },
      { step: 'b', kind: 'step', primitive: 'do.b', ms: 0, skipped: true },
    ]);
  });

  test('[MAN-181] has attempts, items, after_each, settles and failures', async () => {
    const page = scriptedPage({
      'do.a': (_, nth) => (nth === 0 ? notFound() : nth),
      'locator.wait_for': notFound,
    });
    const a = step('a', {
      for_each: '{% [7] %}',
      max_items: 1,
      retry_until: '{% true %}',
      max_attempts: 2,
      after_each: { primitive: 'viewport.scroll' },
      settle_after: { locator: { selector: 'p' } },
    });
    const { trace } = (await run(workflow([a]), { page })).run;
    expect(trace).toMatchObject([
      { step: 'a', kind: 'step', item: 0, attempt: 1, error: { code: 'target_not_found' } },
      { step: 'a', kind: 'after_each', primitive: 'viewport.scroll' },
      { step: 'a', kind: 'step', item: 0, attempt: 2, output: 1 },
      { step: 'a', kind: 'settle', primitive: 'locator.wait_for', error: { code: 'target_not_found' } },
    ]);
  });

  test('[MAN-181] a secret is redacted by the host, and a large value is cut to its beginning', async () => {
    const page = scriptedPage({ 'do.a': () => 'x'.repeat(9_000) });
    const map = workflow([step('a', { args: { password: 'hunter2' } })], { output: 1 });
    const hide = (value: unknown) =>
      typeof value === 'object' && value !== null && 'password' in value ? { password: '•••' } : value;
    const { trace } = (await run(map, { page, host: { redact: hide } })).run;
    expect(JSON.stringify(trace)).not.toContain('hunter2');
    expect(trace[0]).toMatchObject({ args: { password: '•••' }, output: { shortened: true, bytes: 9_002 } });
    expect(JSON.stringify(trace).length).toBeLessThan(5_000);
  });
});

describe('limits', () => {
  test('[MAN-58] more steps than the limit are refused before anything runs', () => {
    const steps = Array.from({ length: 26 }, (_, at) => step(`s${at}`));
    const refused = expect.objectContaining({ code: 'invalid_workflow' });
    expect(() => startRun(workflow(steps), {}, { now: 0 })).toThrow(refused);
    expect(startRun(workflow(steps.slice(1)), {}, { now: 0 }).finished).toEqual([]);
    expect(startRun(workflow(steps), {}, { now: 0, limits: { maxSteps: 30 } }).finished).toEqual([]);
  });

  test('[MAN-52] [MAN-53] a loop without a bound, or with one above the limit, is refused', () => {
    const start = (rest: Partial<WorkflowStep>) => startRun(workflow([step('a', rest)]), {}, { now: 0 });
    const refused = expect.objectContaining({ code: 'invalid_workflow' });
    expect(() => start({ for_each: '{% [1] %}' })).toThrow(refused);
    expect(() => start({ for_each: '{% [1] %}', max_items: 51 })).toThrow(refused);
    expect(() => start({ retry_until: '{% true %}' })).toThrow(refused);
    expect(() => start({ retry_until: '{% true %}', max_attempts: 51 })).toThrow(refused);
    expect(start({ for_each: '{% [1] %}', max_items: 50 }).phase.kind).toBe('for_each');
  });
});
