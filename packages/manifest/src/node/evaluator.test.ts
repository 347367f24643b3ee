import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { createWorkerEvaluator } from './evaluator.ts';

/** Limits that are not under test are generous, because the machine may be busy. */
const evaluator = createWorkerEvaluator({ workers: 1, maxMs: 60_000 });
afterAll(() => evaluator.close());

const errorOf = (expression: string, input: unknown = {}, limits = {}) =>
  evaluator.evaluate(expression, input, limits).then(
    (value) => ({ value }),
    (error: unknown) => error,
  );

const ENDLESS = '($f := function($x) { $f($x + 1) }; $f(0))';

describe('isolation', () => {
  test('[MAN-183] an expression runs in another thread, on a copy of its input', async () => {
    const input = { list: [3, 1, 2], when: new Date(0), skipped: undefined };
    expect(await evaluator.evaluate('$sort(list)', input)).toEqual([1, 2, 3]);
    expect(await evaluator.evaluate('when', input)).toBe('1970-01-01T00:00:00.000Z');
    expect(input.list).toEqual([3, 1, 2]);
    expect(await evaluator.evaluate('missing', input)).toBeUndefined();
    expect(await evaluator.evaluate('$', undefined)).toBeUndefined();
  });

  test('[MAN-184] an expression that takes too long is killed with a coded error', async () => {
    expect(await errorOf(ENDLESS, {}, { maxMs: 40 })).toMatchObject({
      code: 'expression_evaluation_failed',
      evidence: { reason: 'timeout', limit: 40 },
    });
    expect(await evaluator.evaluate('1 + 1', {})).toBe(2);
  });

  test('[MAN-184] expressions that wait behind it are not affected', async () => {
    const killed = errorOf(ENDLESS, {}, { maxMs: 40 });
    const waiting = Promise.all([1, 2, 3].map((n) => evaluator.evaluate('n * 2', { n })));
    expect(await killed).toMatchObject({ evidence: { reason: 'timeout' } });
    expect(await waiting).toEqual([2, 4, 6]);
  });

  test('[MAN-184] work left behind by an answer counts towards its own timeout, not the next one’s', async () => {
    const loop = '$loop := function($n) { $loop($n + 1) }';
    const behind = [
      `(${loop}; function($f) { {"then": $f} }(function($resolve) { ($resolve(1); $loop(0)) }))`,
      `(${loop}; function($f) { {"toJSON": $f} }(function() { $loop(0) }))`,
      `(${loop}; function($f) { $string({"toJSON": $f}) }(function() { $loop(0) }))`,
      `(${loop}; function($f) { {$string({"toJSON": $f}): 1} }(function() { $loop(0) }))`,
    ];
    for (const expression of behind) {
      expect(await errorOf(expression, {}, { maxMs: 60 })).toMatchObject({ evidence: { reason: 'timeout' } });
      expect(await evaluator.evaluate('1 + 1', {})).toBe(2);
    }
  });

  test('an expression that exceeds its memory is stopped alone', async () => {
    const small = createWorkerEvaluator({ workers: 1, maxMs: 120_000, maxMemoryMb: 32 });
    const hoard = small.evaluate('[1..100].[[1..900000]]', {});
    await expect(hoard).rejects.toMatchObject({
      code: 'expression_evaluation_failed',
      evidence: { reason: 'memory' },
    });
    expect(await small.evaluate('"alive"', {})).toBe('alive');
    await small.close();
  });

  test('[MAN-177] output is limited in bytes and in depth', async () => {
    expect(await evaluator.evaluate('$pad("", 15998)', {})).toHaveLength(15_998);
    expect(await errorOf('$pad("", 15999)')).toMatchObject({ code: 'expression_output_too_large' });
    expect(await errorOf('$pad("", 9000, "ü")')).toMatchObject({
      evidence: { bytes: 18_002, limit: 16_000 },
    });
    expect(await errorOf('"12345678"', {}, { maxOutputBytes: 9 })).toMatchObject({ evidence: { limit: 9 } });
    const nest = (levels: number) => `$reduce([1..${levels}], function($a, $b) { {"a": $a} }, {"a": 1})`;
    expect(await evaluator.evaluate(nest(63), {})).toHaveProperty('a.a.a');
    expect(await errorOf(nest(64))).toMatchObject({ evidence: { reason: 'depth', limit: 64 } });
  });

  test('input is limited and must be JSON', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(await errorOf('1', cycle)).toMatchObject({ evidence: { reason: 'input_not_json' } });
    expect(await errorOf('1', 'x'.repeat(2_097_153))).toMatchObject({
      evidence: { reason: 'input_too_large' },
    });
  });

  test('[MAN-60] [MAN-59] a banned function and an expression that does not parse are refused', async () => {
    expect(await errorOf('$now()')).toMatchObject({
      code: 'disallowed_expression_function',
      evidence: { function: '$now' },
    });
    expect(await errorOf('1 +')).toMatchObject({
      code: 'invalid_expression',
      evidence: { reason: 'syntax' },
    });
    expect(await errorOf('$sum')).toMatchObject({ evidence: { reason: 'not_json' } });
  });

  test('a closed evaluator takes no expressions, and closing fails running and waiting ones', async () => {
    const closing = createWorkerEvaluator({ workers: 1, maxMs: 60_000 });
    const running = [closing.evaluate(ENDLESS, {}), closing.evaluate('1', {})];
    const ends = running.map((promise) =>
      expect(promise).rejects.toMatchObject({ evidence: { reason: 'closed' } }),
    );
    await closing.close();
    await Promise.all(ends);
    await expect(closing.evaluate('1', {})).rejects.toMatchObject({ evidence: { reason: 'closed' } });
    await closing.close();
  });
});

describe('inside the worker', () => {
  test('[MAN-185] the realm has only the language and cannot be changed', async () => {
    const worker = new Worker(new URL('../../test/node/realm-probe.ts', import.meta.url), {
      execArgv: [],
      env: {},
    });
    const [found] = await once(worker, 'message');
    await worker.terminate();
    const host = [
      'process',
      'require',
      'Buffer',
      'fetch',
      'WebSocket',
      'Function',
      'eval',
      'setTimeout',
      'WebAssembly',
    ];
    expect(found.globals.filter((name: string) => host.includes(name))).toEqual([]);
    expect(found.codeMakers).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError']);
    expect(found.ofClass).toBe('TypeError');
    expect(found.changes).toEqual(['works: boolean', 'TypeError', 'TypeError', 'TypeError']);
    expect(found.proto).toBe(false);
    expect(found.ownNames).toEqual({ toString: 1, valueOf: 2 });
  });

  test('[MAN-186] patterns that backtrack exponentially elsewhere are answered, however long the text', async () => {
    const text = `${'a'.repeat(100_000)}!`;
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^([a-zA-Z]+)*$', '^(.*a){10}$', '^(a*)*b'])
      expect(await evaluator.evaluate(`$contains(text, /${pattern}/)`, { text })).toBe(false);
  });

  test('[MAN-186] look-around and back-references are refused with a reason', async () => {
    for (const pattern of ['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1']) {
      const error = await errorOf(`$match("a", /${pattern}/)`);
      expect(error).toMatchObject({ code: 'invalid_expression', evidence: { reason: 'unsupported_regex' } });
    }
  });
});
