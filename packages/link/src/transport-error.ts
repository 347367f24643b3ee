import { BridgeError } from '@drawbridge/protocol';

export type Evidence = Readonly<Record<string, unknown>>;

/** BRG-91: a transport's failure as the structured error that a caller gets. */
export function transportFailed(message: string, evidence: Evidence, cause?: unknown): BridgeError {
  return new BridgeError('transport_failed', message, { evidence, cause });
}
