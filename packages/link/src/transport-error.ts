import { BridgeError } from '@drawbridge/protocol';

export type Evidence = Readonly<Record<string, unknown>>;

/** BRG-91: a transport failure as the structured error of a caller. */
export function transportFailed(message: string, evidence: Evidence, cause?: unknown): BridgeError {
  return new BridgeError('transport_failed', message, { evidence, cause });
}
