import { BridgeError } from '@drawbridge/protocol';
import { DocumentLeft, type SurfaceHost } from '../host.ts';

/** Tracks the documents of a surface. */
export function createDocuments(host: SurfaceHost) {
  let here = host.surface().url !== '';
  let gone: string | undefined;
  const waiting = new Set<{ resolve: () => void; reject: (error: BridgeError) => void }>();

  const settle = (end: (one: { resolve: () => void; reject: (error: BridgeError) => void }) => void) => {
    for (const one of waiting) end(one);
    waiting.clear();
  };
  const stop = host.onEvent((event) => {
    if (event.kind === 'left') here = false;
    if (event.kind === 'ready') {
      here = true;
      settle(({ resolve }) => resolve());
    }
    if (event.kind === 'closed') {
      here = false;
      gone = event.reason;
      settle(({ reject }) => reject(lost(gone)));
    }
  });

  return {
    /** A document has page code. */
    present: (): boolean => here,
    /** Resolves with the document after the current one; at once when it has already come. */
    next(): Promise<void> {
      if (gone !== undefined) return Promise.reject(lost(gone));
      if (here) return Promise.resolve();
      return new Promise((resolve, reject) => waiting.add({ resolve, reject }));
    },
    /** Whether an error only means that the document left. */
    left: (error: unknown): boolean => error instanceof DocumentLeft,
    close(): void {
      stop();
      gone ??= 'the runtime was closed';
      settle(({ reject }) => reject(lost(gone)));
    },
  };
}

const lost = (reason: string | undefined): BridgeError =>
  new BridgeError('transport_failed', `The tab is gone: ${reason ?? 'it was closed'}. Use another tab.`, {
    evidence: { reason },
  });
