import { BridgeError, CHAT_CODES, type ErrorCode } from '@drawbridge/protocol';

const MAX_MESSAGE = 4_000;

/** CHT-256: only codes of the protocol leave the proxy. */
export function failureOf(
  error: unknown,
  otherwise: ErrorCode,
): { readonly code: string; readonly message: string } {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);
  const isKnown = error instanceof BridgeError && error.code in CHAT_CODES;
  return { code: isKnown ? error.code : otherwise, message };
}
