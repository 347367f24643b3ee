import type { RuntimeView } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';

/** A call that the bridge or a runtime refused. The message may quote a page, unlike our own errors. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly error: BridgeError;
  readonly view: RuntimeView | undefined;

  constructor(error: BridgeError, view: RuntimeView | undefined) {
    super(error.message, { cause: error });
    this.error = error;
    this.view = view;
  }
}

export const isCallFailure = (error: unknown): error is CallFailure => error instanceof CallFailure;

export function callFailure(error: unknown, view: RuntimeView | undefined): CallFailure {
  if (isCallFailure(error)) return error;
  const known =
    error instanceof BridgeError
      ? error
      : new BridgeError('handler_failed', 'The call failed.', { cause: error });
  return new CallFailure(known, view);
}
