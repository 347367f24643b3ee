import { BridgeError } from '@drawbridge/protocol';
import jsonata from 'jsonata';
import { afterAll, describe, expect, test } from 'vitest';
import { AGREEING, DOCUMENT } from '../../test/node/agreeing-expressions.ts';
import { BUILT_INS } from '../expression/built-ins.ts';
import { createWorkerEvaluator } from './evaluator.ts';

/** A long timeout, because timing is not tested here. */
const evaluator = createWorkerEvaluator({ workers: 2, maxMs: 60_000, maxOutputBytes: 1_000_000 });
afterAll(() => evaluator.close());

async function isolated(expression: string): Promise<unknown> {
  try {
    return { value: await evaluator.evaluate(expression, DOCUMENT) };
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return { error: error.evidence['jsonata_code'] };
  }
}

async function direct(expression: string): Promise<unknown> {
  try {
    const value: unknown = await jsonata(expression).evaluate(JSON.parse(JSON.stringify(DOCUMENT)));
    const text = JSON.stringify(value);
    return { value: text === undefined ? undefined : JSON.parse(text) };
  } catch (error) {
    return { error: typeof error === 'object' && error !== null && 'code' in error ? error.code : 'none' };
  }
}

describe('isolation does not change results', () => {
  test.each(AGREEING)('%s', async (expression) => {
    expect(await isolated(expression)).toEqual(await direct(expression));
  });
});

test('more than 150 expressions use every function that is not banned', () => {
  const all = AGREEING.join('\n');
  expect(BUILT_INS.filter((name) => !all.includes(`$${name}(`) && !all.includes(`$${name} `))).toEqual([]);
  expect(new Set(AGREEING).size).toBe(AGREEING.length);
  expect(AGREEING.length).toBeGreaterThan(150);
});
