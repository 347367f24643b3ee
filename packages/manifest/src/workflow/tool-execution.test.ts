import { BridgeError } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { createFakeClock } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import { hostOf, scriptedPage, workflow } from '../../test/workflow/scripted-page.ts';
import { continueRun } from './driver.ts';
import { callHandler } from './handler-call.ts';
import { lowerExecutionSteps } from './lowered-steps.ts';
import { startRun } from './start.ts';
import { executionOf, type Handler } from './tool-execution.ts';

const BUTTON = { selector: 'button' };
const STEPS = [
  { id: 'type_query', type: 'type', target: { selector: 'input' }, value_from: 'query' },
  { id: 'submit', type: 'click', target: BUTTON },
];
const NAME = 'shop.search';
const handler: Handler = async () => 'from the handler';
const REGISTRY = new Map([[NAME, handler]]);

const tool = (x_actions: NonNullable<Tool['x_actions']>, rest: Partial<Tool> = {}): Tool => ({
  name: 'search.submit',
  description: 'Searches.',
  input_schema: {},
  x_actions,
  ...rest,
});

const kindOf = (given: Tool, registry: ReadonlyMap<string, Handler> = REGISTRY): string => {
  try {
    return executionOf(given, registry).kind;
  } catch (error) {
    return error instanceof BridgeError ? error.code : 'thrown';
  }
};

const evidenceOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof BridgeError ? error.evidence : error;
  }
};

describe('choice of execution', () => {
  test('[MAN-144] a workflow runs, whatever x_actions contains', () => {
    const own = workflow([{ id: 'a', primitive: 'page.info' }]);
    for (const mode of ['steps_first', 'handler_first', 'documentary', 'unheard_of']) {
      const given = tool({ handler: NAME, execution: { mode, steps: STEPS } }, { workflow: own });
      expect(executionOf(given, REGISTRY)).toEqual({ kind: 'workflow', plan: own });
    }
  });

  test('[MAN-145] with steps_first, the default mode, the steps run', () => {
    expect(kindOf(tool({ handler: NAME, execution: { mode: 'steps_first', steps: STEPS } }))).toBe(
      'workflow',
    );
    expect(kindOf(tool({ handler: NAME, execution: { steps: STEPS } }))).toBe('workflow');
  });

  test('[MAN-146] without steps the handler runs, in any mode', () => {
    for (const mode of ['steps_first', 'handler_first', 'documentary', 'test_only', 'unheard_of']) {
      expect(kindOf(tool({ handler: NAME, execution: { mode } }))).toBe('handler');
      expect(kindOf(tool({ handler: NAME, execution: { mode, steps: [] } }))).toBe('handler');
    }
    expect(kindOf(tool({ handler: NAME }))).toBe('handler');
  });

  test('[MAN-147] with handler_first the handler runs, or the steps when it is not registered', () => {
    const given = tool({ handler: NAME, execution: { mode: 'handler_first', steps: STEPS } });
    expect(kindOf(given)).toBe('handler');
    expect(kindOf(given, new Map())).toBe('workflow');
    expect(kindOf(tool({ execution: { mode: 'handler_first', steps: STEPS } }))).toBe('workflow');
  });

  test('[MAN-148] documentary and test_only steps never run', () => {
    for (const mode of ['documentary', 'test_only']) {
      const execution = { mode, steps: STEPS };
      expect(kindOf(tool({ handler: NAME, execution }))).toBe('handler');
      expect(kindOf(tool({ execution }))).toBe('capability_unavailable');
      expect(evidenceOf(() => executionOf(tool({ execution }), REGISTRY))).toMatchObject({ mode });
    }
  });

  test('[MAN-149] an unknown mode or step type gives capability_unavailable with its name', () => {
    const odd = tool({ handler: NAME, execution: { mode: 'sideways', steps: STEPS } });
    expect(kindOf(odd)).toBe('capability_unavailable');
    expect(evidenceOf(() => executionOf(odd, REGISTRY))).toMatchObject({ mode: 'sideways' });
    const type = tool({ execution: { steps: [...STEPS, { id: 'x', type: 'teleport' }] } });
    expect(kindOf(type)).toBe('capability_unavailable');
    expect(evidenceOf(() => executionOf(type, REGISTRY))).toMatchObject({ type: 'teleport', step: 'x' });
  });

  test('[MAN-140] a handler comes only from the registry, never from an inherited property', () => {
    for (const name of [
      'toString',
      'constructor',
      'toString.constructor',
      '__proto__',
      'valueOf',
      'window.alert',
    ])
      expect(kindOf(tool({ handler: name }))).toBe('missing_handler');
  });

  test('[MAN-141] an unregistered handler gives missing_handler with its name', () => {
    expect(kindOf(tool({ handler: 'shop.other' }))).toBe('missing_handler');
    expect(evidenceOf(() => executionOf(tool({ handler: 'shop.other' }), REGISTRY))).toEqual({
      handler: 'shop.other',
    });
  });
});

describe('execution.steps', () => {
  const run = async (steps: Record<string, unknown>[], input: unknown) => {
    const page = scriptedPage({ 'locator.element_info': () => ({ clickable_center: { x: 3, y: 4 } }) });
    const plan = lowerExecutionSteps(tool({ execution: { steps } }));
    const result = await continueRun(startRun(plan, input, { now: 0 }), hostOf({ page }));
    return { page, result };
  };

  test('[MAN-145] value_from takes its value from the call argument with that name', async () => {
    const { page } = await run(STEPS, { query: 'red shoes' });
    expect(page.calls).toEqual([
      { name: 'text.insert', args: { text: 'red shoes', target: { selector: 'input' }, mode: 'replace' } },
      { name: 'locator.element_info', args: { locator: BUTTON } },
      { name: 'pointer.click', args: { x: 3, y: 4 } },
    ]);
    const odd = [{ id: 'a', type: 'type', target: BUTTON, value_from: 'a "quoted" na%}me' }];
    expect((await run(odd, { 'a "quoted" na%}me': 'v' })).page.calls[0]?.args).toMatchObject({ text: 'v' });
  });

  test('[MAN-150] have the same trace as a workflow', async () => {
    const { result } = await run(STEPS, { query: 'x' });
    expect(result.status).toBe('done');
    expect(result.run.trace.map(({ step, primitive }) => [step, primitive])).toEqual([
      ['type_query', 'text.insert'],
      ['submit_target', 'locator.element_info'],
      ['submit', 'pointer.click'],
    ]);
  });

  test('[MAN-150] have the same limits, counted as written', () => {
    const clicks = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `c${at}`, type: 'click', target: BUTTON }));
    const start = (count: number) =>
      startRun(lowerExecutionSteps(tool({ execution: { steps: clicks(count) } })), {}, { now: 0 });
    expect(start(25).plan.steps).toHaveLength(50);
    expect(() => start(26)).toThrow(expect.objectContaining({ code: 'invalid_workflow' }));
  });

  test('[MAN-150] every type can be run, and ids stay usable', () => {
    const types = [
      'inspect',
      'read',
      'focus',
      'click',
      'double_click',
      'hover',
      'type',
      'press',
      'scroll',
      'wait',
      'navigate',
    ];
    const steps = types.map((type) => ({ id: 'not an id', type, value: 'x' }));
    const { steps: lowered } = lowerExecutionSteps(tool({ execution: { steps } }, { target: BUTTON }));
    expect(new Set(lowered.map(({ id }) => id)).size).toBe(lowered.length);
    for (const { id, primitive } of lowered) {
      expect(id).toMatch(/^[A-Za-z][A-Za-z0-9_-]*$/);
      expect(primitive).toMatch(/^[a-z]+\.[a-z_]+$/);
    }
  });

  test('a step without a target uses the tool’s, and fails without either', () => {
    const execution = { steps: [{ id: 'a', type: 'inspect' }] };
    expect(lowerExecutionSteps(tool({ execution }, { target: BUTTON })).steps[0]?.args).toEqual({
      locator: BUTTON,
    });
    expect(evidenceOf(() => lowerExecutionSteps(tool({ execution })))).toEqual({
      step: 'a',
      field: 'target',
    });
  });
});

describe('a handler', () => {
  const call = (work: Handler, rest = {}) =>
    callHandler({ name: NAME, handler: work, input: 7, clock: createFakeClock(), ...rest });

  test('[MAN-146] gets the input and returns the output', async () => {
    expect(await call(async (input) => ({ input }))).toEqual({ input: 7 });
  });

  test('a failure has a code and no private detail', async () => {
    const error = await call(async () => Promise.reject(new Error('secret'))).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'handler_failed' });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  test('[MAN-180] a timeout and a cancellation end it and report the elapsed time', async () => {
    const clock = createFakeClock();
    const timed = call(() => new Promise(() => {}), { clock: clock, timeoutMs: 100 });
    const failed = expect(timed).rejects.toMatchObject({
      code: 'handler_timeout',
      evidence: { elapsed_ms: 100 },
    });
    await clock.advanceAsync(100);
    await failed;
    const cancelling = new AbortController();
    const cancelled = call(() => new Promise(() => {}), { signal: cancelling.signal });
    cancelling.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });
});
