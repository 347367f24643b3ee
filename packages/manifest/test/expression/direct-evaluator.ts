import { BridgeError } from '@drawbridge/protocol';
import jsonata from 'jsonata';
import { byteLength } from '../../src/expression/byte-length.ts';
import type { Evaluator } from '../../src/host.ts';

/** JSONata without isolation, for tests of code that uses an Evaluator. */
export const directEvaluator: Evaluator = {
  evaluate: async (expression, input, { maxOutputBytes = 16_000 } = {}) => {
    const output = JSON.stringify(await evaluateDirectly(expression, input));
    if (output === undefined) return undefined;
    if (byteLength(output) > maxOutputBytes)
      throw new BridgeError('expression_output_too_large', 'too large');
    return JSON.parse(output);
  },
  close: async () => {},
};

async function evaluateDirectly(expression: string, input: unknown): Promise<unknown> {
  try {
    return await jsonata(expression).evaluate(JSON.parse(JSON.stringify(input)));
  } catch (error) {
    throw new BridgeError('expression_evaluation_failed', 'failed', { cause: error });
  }
}
