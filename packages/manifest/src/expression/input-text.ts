import { byteLength } from './byte-length.ts';
import { toBridgeError } from './refusal.ts';

/** The input of an expression as JSON text. Throws when it is not JSON or exceeds its limit. */
export function inputText(input: unknown, maxBytes: number): string | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch {
    throw refusal('The input of an expression must be JSON, without cycles.', { reason: 'input_not_json' });
  }
  // UTF-8 needs at most three bytes per UTF-16 unit, so short texts are not counted.
  if (text === undefined || text.length * 3 <= maxBytes || byteLength(text) <= maxBytes) return text;
  throw refusal(`The input of an expression is larger than ${maxBytes} bytes. Keep less in the steps.`, {
    reason: 'input_too_large',
    limit: maxBytes,
  });
}

const refusal = (message: string, evidence: Readonly<Record<string, unknown>>) =>
  toBridgeError({ code: 'expression_evaluation_failed', message, evidence });
