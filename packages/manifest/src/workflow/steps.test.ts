import { BridgeError } from '@drawbridge/protocol';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import { describe, expect, test } from 'vitest';
import {
  errorOf,
  notFound,
  outputOf,
  run,
  scriptedPage,
  workflow,
} from '../../test/workflow/scripted-page.ts';

const step = (id: string, rest: Partial<WorkflowStep> = {}): WorkflowStep => ({
  id,
  primitive: `do.${id}`,
  ...rest,
});

describe('order and data', () => {
  test('[MAN-159] steps run in order, and each result is read as steps.<id>.output', async () => {
    const page = scriptedPage({ 'do.a': () => ({ n: 1 }), 'do.b': ({ n }) => ({ n: Number(n) + 1 }) });
    const map = workflow([step('a'), step('b', { args: { n: '{% steps.a.output.n %}' } }), step('c')], {
      output: '{% [steps.a.output.n, steps.b.output.n] %}',
    });
    expect(await outputOf(map, { page })).toEqual([1, 2]);
    expect(page.names()).toEqual(['do.a', 'do.b', 'do.c']);
  });

  test('[MAN-159] a step that has not run yet has no result', async () => {
    const map = workflow([step('a', { args: { later: '{% steps.b.output %}' } }), step('b')]);
    const page = scriptedPage();
    await run(map, { page });
    expect(page.calls[0]?.args).toEqual({});
  });

  test('[MAN-160] whole slots at any depth are evaluated and keep their type; other strings are unchanged', async () => {
    const page = scriptedPage();
    const args = {
      text: 'plain {not} a slot % }',
      number: '{% input.n + 1 %}',
      deep: { list: ['{% input.list %}', 'x', 7, null, { truth: '{% input.n > 0 %}' }] },
      missing: '{% input.nothing %}',
      object: '{%input%}',
    };
    await run(workflow([step('a', { args })]), { page, input: { n: 1, list: [1, 'b'] } });
    expect(page.calls[0]?.args).toEqual({
      text: 'plain {not} a slot % }',
      number: 2,
      deep: { list: [[1, 'b'], 'x', 7, null, { truth: true }] },
      object: { n: 1, list: [1, 'b'] },
    });
  });

  test('[MAN-160] a slot with text around it is never evaluated', async () => {
    for (const text of ['a {% 1 %}', '{% 1 %} b', '{% 1 %}{% 2 %}', ' {% 1 %}']) {
      const page = scriptedPage();
      const error = await errorOf(workflow([step('a', { args: { text } })]), { page });
      expect(error).toMatchObject({ code: 'partial_expression_unsupported', evidence: { step: 'a' } });
      expect(page.calls).toEqual([]);
    }
  });

  test('[MAN-160] item and index exist only inside a loop', async () => {
    const page = scriptedPage();
    const see = { item: '{% item %}', index: '{% index %}' };
    const loop = step('a', { for_each: '{% ["x", "y"] %}', max_items: 2, args: see });
    await run(workflow([loop, step('b', { args: see })]), { page });
    expect(page.calls.map(({ args }) => args)).toEqual([
      { item: 'x', index: 0 },
      { item: 'y', index: 1 },
      {},
    ]);
  });
});

describe('when', () => {
  test('[MAN-161] a step whose when is falsy is skipped and recorded so, without an error', async () => {
    for (const when of [
      '{% false %}',
      '{% input.missing %}',
      '{% 0 %}',
      '{% "" %}',
      '{% null %}',
      '{% [] %}',
    ]) {
      const page = scriptedPage();
      const result = await run(workflow([step('a', { when }), step('b')]), { page });
      expect(page.names()).toEqual(['do.b']);
      expect(result).toMatchObject({
        status: 'done',
        output: { steps: { a: { ok: true, skipped: true }, b: { ok: true } } },
      });
      expect(result.run.trace[0]).toEqual({
        step: 'a',
        kind: 'step',
        primitive: 'do.a',
        ms: 0,
        skipped: true,
      });
    }
  });

  test('[MAN-161] a step whose when is truthy runs', async () => {
    for (const when of ['{% true %}', '{% input.n = 1 %}', '{% "no" %}', '{% {"a": 1} %}']) {
      const page = scriptedPage();
      await run(workflow([step('a', { when })]), { page, input: { n: 1 } });
      expect(page.names()).toEqual(['do.a']);
    }
  });

  test('[MAN-162] a missing path compared with null is false both ways; $exists tests it', async () => {
    const map = workflow([step('a')], {
      output: [
        '{% input.missing = null %}',
        '{% input.missing != null %}',
        '{% $exists(input.missing) %}',
        '{% $exists(input.there) %}',
      ],
    });
    expect(await outputOf(map, { input: { there: null } })).toEqual([false, false, false, true]);
  });

  test('a when that is not one whole slot does not count as true', async () => {
    const page = scriptedPage();
    const error = await errorOf(workflow([step('a', { when: 'true' })]), { page });
    expect(error.code).toBe('partial_expression_unsupported');
    expect(page.calls).toEqual([]);
  });
});

describe('for_each', () => {
  test('[MAN-163] the step runs once for each item, with item and index from 0', async () => {
    const page = scriptedPage({ 'do.a': ({ item, index }) => `${item}${index}` });
    const loop = step('a', {
      for_each: '{% input.names %}',
      max_items: 5,
      args: { item: '{% item %}', index: '{% index %}' },
    });
    const map = workflow([loop], {
      output: { list: '{% steps.a.output %}', first: '{% steps.a.items[0].output %}' },
    });
    expect(await outputOf(map, { page, input: { names: ['x', 'y', 'z'] } })).toEqual({
      list: ['x0', 'y1', 'z2'],
      first: 'x0',
    });
  });

  test('[MAN-163] an empty list runs nothing and is no error', async () => {
    const page = scriptedPage();
    const map = workflow([step('a', { for_each: '{% [] %}', max_items: 5 })]);
    expect(await outputOf(map, { page })).toEqual({ steps: { a: { ok: true, items: [], output: [] } } });
    expect(page.calls).toEqual([]);
  });

  test('[MAN-164] runs at most max_items times, and the result has the total', async () => {
    const page = scriptedPage();
    const map = workflow([step('a', { for_each: '{% [1..40] %}', max_items: 3 })]);
    expect(await outputOf(map, { page })).toMatchObject({ steps: { a: { ok: true, total: 40 } } });
    expect(page.calls).toHaveLength(3);
  });

  test('[MAN-165] a for_each that gives no array fails the step', async () => {
    for (const for_each of ['{% 7 %}', '{% input.missing %}', '{% "abc" %}', '{% {"a": 1} %}']) {
      const page = scriptedPage();
      const error = await errorOf(workflow([step('a', { for_each, max_items: 3 })]), { page });
      expect(error).toMatchObject({ code: 'workflow_loop_input_invalid', evidence: { step: 'a' } });
      expect(page.calls).toEqual([]);
    }
  });

  test('[MAN-174] [MAN-175] a failing item ends a loop, or with on_error continue is marked and skipped', async () => {
    const answers = { 'do.a': ({ n }: Readonly<Record<string, unknown>>) => (n === 2 ? notFound() : n) };
    const loop = { for_each: '{% [1, 2, 3] %}', max_items: 3, args: { n: '{% item %}' } };
    const stops = scriptedPage(answers);
    expect((await errorOf(workflow([step('a', loop)]), { page: stops })).evidence).toMatchObject({
      step: 'a',
      item: 1,
    });
    expect(stops.calls).toHaveLength(2);
    const goesOn = scriptedPage(answers);
    const map = workflow([step('a', { ...loop, on_error: 'continue' })]);
    expect(await outputOf(map, { page: goesOn })).toMatchObject({
      steps: {
        a: {
          ok: false,
          items: [{ ok: true }, { ok: false, error: { code: 'target_not_found' } }, { ok: true }],
        },
      },
    });
  });
});

describe('retry_until', () => {
  const found = { retry_until: '{% steps.a.output.found %}', max_attempts: 4 };

  test('[MAN-166] the step repeats until the condition holds, and then the next step runs', async () => {
    const page = scriptedPage({ 'do.a': (_, nth) => ({ found: nth === 2, nth }) });
    const map = workflow([step('a', found), step('b')], { output: '{% steps.a %}' });
    expect(await outputOf(map, { page })).toMatchObject({
      ok: true,
      output: { nth: 2 },
      attempts: [{}, {}, {}],
    });
    expect(page.names()).toEqual(['do.a', 'do.a', 'do.a', 'do.b']);
  });

  test('[MAN-166] a failed attempt is retried, unless the failure is not recoverable', async () => {
    const page = scriptedPage({ 'do.a': (_, nth) => (nth < 2 ? notFound() : { found: true }) });
    expect(await outputOf(workflow([step('a', found)]), { page })).toMatchObject({
      steps: { a: { ok: true } },
    });
    expect(page.calls).toHaveLength(3);
    const denied = scriptedPage({
      'do.a': () => {
        throw new BridgeError('permission_denied', 'no');
      },
    });
    expect((await errorOf(workflow([step('a', found)]), { page: denied })).evidence).toMatchObject({
      error: { code: 'permission_denied' },
    });
    expect(denied.calls).toHaveLength(1);
  });

  test.each([
    ['stop', {}],
    ['continue', {}],
    ['continue', { for_each: '{% [1, 2] %}', max_items: 2 }],
  ] as const)('[MAN-167] after max_attempts the run fails with on_error %s %o', async (on_error, loop) => {
    const page = scriptedPage({ 'do.a': () => ({ found: false }) });
    const map = workflow([step('a', { ...found, ...loop, on_error }), step('b')], {
      output: { moved: true },
    });
    const error = await errorOf(map, { page });
    expect(error).toMatchObject({ code: 'workflow_retry_exhausted', evidence: { step: 'a', attempts: 4 } });
    expect(page.names()).toEqual(['do.a', 'do.a', 'do.a', 'do.a']);
  });

  test('[MAN-167] after max_attempts that all threw, on_error continue does not hide it', async () => {
    const page = scriptedPage({ 'do.a': () => notFound() });
    const map = workflow([step('a', { ...found, on_error: 'continue' })], { output: { moved: true } });
    expect(await errorOf(map, { page })).toMatchObject({ code: 'workflow_retry_exhausted' });
  });

  test('[MAN-168] after_each runs between two attempts, neither before the first nor after the last', async () => {
    const scrolls = {
      ...found,
      after_each: { primitive: 'viewport.scroll', args: { delta_y: '{% 300 + 300 %}' } },
    };
    const page = scriptedPage({ 'do.a': (_, nth) => ({ found: nth === 2 }) });
    await run(workflow([step('a', scrolls)]), { page });
    expect(page.names()).toEqual(['do.a', 'viewport.scroll', 'do.a', 'viewport.scroll', 'do.a']);
    expect(page.calls[1]?.args).toEqual({ delta_y: 600 });
    const never = scriptedPage({ 'do.a': () => ({ found: false }) });
    await run(workflow([step('a', { ...scrolls, max_attempts: 2 })]), { page: never });
    expect(never.names()).toEqual(['do.a', 'viewport.scroll', 'do.a']);
  });

  test('[MAN-166] within a loop each item has its own attempts', async () => {
    const page = scriptedPage({ 'do.a': (_, nth) => ({ found: nth % 2 === 1 }) });
    const map = workflow([step('a', { ...found, for_each: '{% [1, 2] %}', max_items: 2 })]);
    expect(await outputOf(map, { page })).toMatchObject({
      steps: { a: { items: [{ attempts: [{}, {}] }, { attempts: [{}, {}] }] } },
    });
    expect(page.calls).toHaveLength(4);
  });
});
