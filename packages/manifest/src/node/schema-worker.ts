import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type EvaluationAnswer, type EvaluationRequest, READY } from '../expression/messages.ts';
import { checkSchema } from '../validate/json-schema.ts';
import { validate } from '../validate/validate.ts';

/**
 * Entry of the thread that applies schemas and validates maps. Node runs this file directly, so it uses only
 * erasable syntax.
 */
const port = parentPort;
if (port === null) throw new Error('This file is the inside of a worker thread.');

// On Linux this sets the thread's own priority, so that hostile schemas do not slow the relay's event loop.
if (process.platform === 'linux') setPriority(10);

const answerTo = ({ id, expression, input = '' }: EvaluationRequest): EvaluationAnswer => {
  try {
    return { id, ok: true, output: JSON.stringify(resultOf(expression, JSON.parse(input))) };
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 500) : 'The check failed.';
    return { id, ok: false, code: 'expression_evaluation_failed', message, evidence: { reason: 'failed' } };
  }
};

function resultOf(what: string, input: unknown): unknown {
  if (what === 'map') return validate(input);
  const [schema, value]: readonly unknown[] = Array.isArray(input) ? input : [];
  return typeof schema === 'object' && schema !== null ? checkSchema(schema, value) : undefined;
}

port.on('message', (request: EvaluationRequest) => port.postMessage(answerTo(request)));
port.postMessage(READY);
