import {
  type ActionError,
  BridgeError,
  ERROR_CODES,
  type ErrorCode,
  type StructuredError,
} from '@drawbridge/protocol';

export interface ErrorSubject {
  readonly call_id?: string | undefined;
  readonly runtime_id?: string | undefined;
}

export function errorItem(error: BridgeError, { call_id, runtime_id }: ErrorSubject = {}): ActionError {
  return {
    type: 'action_error',
    ...(call_id === undefined ? {} : { call_id }),
    ...(runtime_id === undefined ? {} : { runtime_id }),
    error: error.toJSON(),
  };
}

const isOurs = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);

/** Fills in the recommended fields of a runtime's error (BRG-74). */
export function completed(item: ActionError): ActionError {
  const { code } = item.error;
  const { severity, recoverable } = ERROR_CODES[isOurs(code) ? code : 'handler_failed'];
  const error: StructuredError = { severity, recoverable, evidence: {}, ...item.error };
  return { ...item, error };
}

/** Maps an unknown code to `handler_failed`, with its name in the evidence. */
export function bridgeErrorOf({ error, runtime_id }: ActionError): BridgeError {
  const { code, message, severity, recoverable, evidence = {} } = error;
  const known = isOurs(code);
  return new BridgeError(known ? code : 'handler_failed', message, {
    ...(severity === undefined ? {} : { severity }),
    ...(recoverable === undefined ? {} : { recoverable }),
    evidence: {
      ...(runtime_id === undefined ? {} : { runtime_id }),
      ...(known ? {} : { code }),
      ...evidence,
    },
  });
}

/** Other errors are bugs of ours, and hidden from callers. */
export function asBridgeError(thrown: unknown): BridgeError {
  if (thrown instanceof BridgeError) return thrown;
  return new BridgeError('transport_failed', 'The bridge failed to handle this item. Try it once more.', {
    cause: thrown,
  });
}
