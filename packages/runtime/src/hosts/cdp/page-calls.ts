import { BridgeError, onAbort } from '@drawbridge/protocol';
import type { Dialog } from '../../host.ts';

/** Ends a page call early when its signal aborts, for every host with tabs. */

export function cancellable<T>(work: Promise<T>, name: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(new BridgeError('cancelled', `${name} was cancelled.`)));
    work.then(resolve, reject).finally(stop);
  });
}

export function stillLoading(): BridgeError {
  const message = 'The page is still loading. Wait for it, then ask again.';
  return new BridgeError('runtime_not_ready', message, { evidence: { reason: 'loading' } });
}

export function isDialogOpen(error: unknown): boolean {
  return error instanceof BridgeError && error.evidence['reason'] === 'dialog_open';
}

/** A page behind a dialog cannot report which part of its text is secret. */
export function withheld(dialog: Dialog['dialog']): Dialog {
  const message = 'The page holds a secret, so the text of its dialog is shown after the answer.';
  return { dialog, message };
}

export function dialogOpen(dialog: Dialog): BridgeError {
  const message = `The page shows a ${dialog.dialog} dialog and does nothing until it is answered. Answer it, then go on; what was asked may have been done.`;
  return new BridgeError('state_mismatch', message, { evidence: { reason: 'dialog_open', ...dialog } });
}
