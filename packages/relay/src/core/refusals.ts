import { LedgerError } from '@drawbridge/ledger';
import type { ErrorCode } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import type { Peer, Refused } from './peer.ts';

export const NOT_STORED = 'The relay could not store it, and nothing was changed. Try again in a while.';
const FULL =
  'The disk of the relay is full, so nothing was stored. Free some space there; until then read on.';
const UNKNOWN =
  'The relay does not know whether it was stored. Send the same message again: it is accepted only once.';
export const NOT_READ = 'The relay cannot read its store right now. Connect again in a moment.';
export const NO_SUCH_SESSION = 'There is no such session. Look at session_snapshot for those there are.';
export const PENDING_ALREADY = 'This request_id is already pending. Use another one.';

const REASONS: { readonly [code in LedgerError['code']]?: string } = {
  ledger_full: FULL,
  ledger_unknown: UNKNOWN,
};

/** A full disk or a busy ledger lasts for a while. */
export const RETRY_AFTER_MS = 1_000;

/** Reports a ledger failure to the peer and to onError, and returns false. */
export function storedOrRefused(
  context: CoreContext,
  peer: Peer,
  frame: Refused,
  work: Promise<unknown>,
): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      refuseUnstored(context, peer, frame, error);
      return false;
    },
  );
}

/** Throws an error that is not the ledger's. */
export function refuseUnstored(
  { onError }: Pick<CoreContext, 'onError'>,
  peer: Peer,
  frame: Refused,
  error: unknown,
  invalid: ErrorCode = 'invalid_message',
): void {
  if (!(error instanceof LedgerError)) throw error;
  onError(error);
  if (error.code === 'ledger_invalid') peer.refuse(frame, invalid, error.message);
  else peer.refuse(frame, 'send_rejected', REASONS[error.code] ?? NOT_STORED, RETRY_AFTER_MS);
}
