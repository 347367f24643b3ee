import { BridgeError, onAbort } from '@drawbridge/protocol';
import type { Dialog } from '../../host.ts';

/** Ends all pending waits on the same condition early. */
export interface Interruption {
  /** The work's result, or the interruption when that comes first. */
  readonly guard: <T>(work: Promise<T>) => Promise<T>;
  readonly interrupt: (error: Error) => void;
}

export function createInterruption(): Interruption {
  const waiting = new Set<(error: Error) => void>();
  return {
    guard: async (work) => {
      const { promise, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      try {
        return await Promise.race([work, promise]);
      } finally {
        waiting.delete(reject);
      }
    },
    interrupt(error) {
      const all = [...waiting];
      waiting.clear();
      for (const reject of all) reject(error);
    },
  };
}

/** Fails when the work takes longer: one frame that hangs must not block the rest of its page. */
export function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Ends a page call early when its signal aborts, for every host with tabs. */
export async function cancellable<T>(work: Promise<T>, name: string, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = onAbort(signal, () => reject(new BridgeError('cancelled', `${name} was cancelled.`)));
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop();
  }
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
