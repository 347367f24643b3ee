import { BridgeError } from '@drawbridge/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { BOMBS, ESCAPES, HOSTILE_INPUT } from '../../test/node/hostile-expressions.ts';
import { createWorkerEvaluator } from './evaluator.ts';

const CODES = [
  'invalid_expression',
  'disallowed_expression_function',
  'expression_evaluation_failed',
  'expression_output_too_large',
];

/** `npm run deep` runs every bomb; otherwise one of those that differ only in their numbers. */
const IS_DEEP = process.env['DRAWBRIDGE_DEEP'] !== undefined;
const kindOf = (bomb: string): string => bomb.replaceAll(/\d+/g, '#');
const RUN = IS_DEEP
  ? BOMBS
  : Object.values(Object.groupBy(BOMBS, kindOf)).flatMap((kind = []) => kind.slice(0, 1));

/** Counts turns of this thread's event loop. */
function heartbeat() {
  let turns = 0;
  let running = true;
  const beat = () => {
    turns++;
    if (running) setImmediate(beat);
  };
  setImmediate(beat);
  const stop = () => {
    running = false;
  };
  return { turns: () => turns, stop };
}

describe('bombs', { timeout: 300_000 }, () => {
  const evaluator = createWorkerEvaluator({ workers: 2, maxMs: 30 });
  const heart = heartbeat();
  afterAll(async () => {
    heart.stop();
    await evaluator.close();
  });

  test('there are at least 200, all different', () => {
    expect(new Set(BOMBS).size).toBe(BOMBS.length);
    expect(BOMBS.length).toBeGreaterThanOrEqual(200);
  });

  test('[MAN-184] [MAN-183] each ends with a coded error, and the event loop keeps running', async () => {
    const harmless: string[] = [];
    const uncoded: unknown[] = [];
    const blocked: string[] = [];
    const explode = async (bomb: string) => {
      const before = heart.turns();
      const outcome = await evaluator.evaluate(bomb, { a: 1 }).then(
        () => 'harmless',
        (error: unknown) => error,
      );
      if (outcome === 'harmless') harmless.push(bomb);
      else if (!(outcome instanceof BridgeError) || !CODES.includes(outcome.code)) uncoded.push(outcome);
      const ranOut = outcome instanceof BridgeError && outcome.evidence['reason'] === 'timeout';
      if (ranOut && heart.turns() === before) blocked.push(bomb);
    };
    const waiting = [...RUN];
    const queueKey = async () => {
      for (let bomb = waiting.shift(); bomb !== undefined; bomb = waiting.shift()) await explode(bomb);
    };
    await Promise.all([queueKey(), queueKey()]);
    expect(heart.turns()).toBeGreaterThan(RUN.length);
    expect({ harmless, uncoded, blocked }).toEqual({ harmless: [], uncoded: [], blocked: [] });
  });

  test('[MAN-184] later expressions still run', async () => {
    const patient = { maxMs: 60_000 };
    expect(await evaluator.evaluate('$sum([1..100])', {}, patient)).toBe(5050);
    expect(await evaluator.evaluate('$replace("abc", /b/, "-")', {}, patient)).toBe('a-c');
  });
});

describe('escapes', () => {
  const evaluator = createWorkerEvaluator({ workers: 1, maxMs: 60_000 });
  afterAll(() => evaluator.close());

  test("[MAN-185] none reaches a constructor, a prototype or a function's internals", async () => {
    const reached: unknown[] = [];
    for (const attempt of ESCAPES) {
      const value = await evaluator.evaluate(attempt, HOSTILE_INPUT).catch((error: unknown) => {
        if (!(error instanceof BridgeError) || !CODES.includes(error.code)) reached.push([attempt, error]);
        return undefined;
      });
      if (!isHarmless(value)) reached.push([attempt, value]);
    }
    expect(reached).toEqual([]);
  });

  test('[MAN-185] none changes anything for the next expression in the same worker', async () => {
    expect(await evaluator.evaluate('$sum([1, 2])', {})).toBe(3);
    expect(await evaluator.evaluate('[$count([1, 2]), $keys({}), {}.polluted, polluted]', {})).toEqual([2]);
    expect(await evaluator.evaluate('$type($sum)', {})).toBe('function');
  });
});

/** Some return their input, or an empty text for a function; anything else is an escape. */
function isHarmless(value: unknown): boolean {
  return value === undefined || value === '' || JSON.stringify(value) === '{}' || isInput(value);
}

const isInput = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).every((key) => key === 'fake');
