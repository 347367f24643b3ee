import { APICallError, RetryError } from 'ai';
import { ModelError } from '../model.ts';

const LONGEST_REASON = 300;

/** Converts SDK errors. Keeps a provider's message only where it cannot quote the key. */
export function modelErrorOf(
  cause: unknown,
  id: string,
  apiKey: string | undefined,
  wasStopped: boolean,
): ModelError {
  if (wasStopped) return new ModelError('aborted', `${id} was stopped before it answered.`);
  const error = RetryError.isInstance(cause) ? cause.lastError : cause;
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const reason = withoutKey(error instanceof Error ? error.message : 'no reason given', apiKey);
  if (status === 401 || status === 403)
    return new ModelError(
      'unauthorized',
      `${id} does not take this key (${status}). Check it and what it may use.`,
    );
  if (status === 429)
    return new ModelError('rate_limited', `${id} has too much to do (429): ${reason} Try again later.`);
  if (status !== undefined && status >= 400 && status < 500)
    return new ModelError('refused', `${id} refused the request (${status}): ${reason}`);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ModelError('unavailable', `${id} did not answer in time. Try again later.`);
  return new ModelError(
    'unavailable',
    `${id} could not be asked: ${reason} Check the address, or try again later.`,
  );
}

function withoutKey(text: string, apiKey: string | undefined): string {
  const clean = apiKey ? text.replaceAll(apiKey, '…') : text;
  const short = clean.slice(0, LONGEST_REASON).trim();
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
