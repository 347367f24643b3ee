import { holdsLooseSecret } from './forms.ts';

/** Whether a page asks for a secret outside of forms. */
export type LooseSecrets = ReturnType<typeof createLooseSecrets>;

/**
 * Caches the result until the page changes: every press asks, and a scan of a large page takes longer than
 * the press.
 */
export function createLooseSecrets(document: Document, moment: () => number) {
  let known: { readonly page: Element; readonly moment: number; readonly holds: boolean } | undefined;
  const around = (page: Element): boolean => {
    const now = moment();
    if (known?.page !== page || known.moment !== now)
      known = { page, moment: now, holds: holdsLooseSecret(page) };
    return known.holds;
  };
  return {
    around,
    /** Fills the cache for the next caller. */
    look(): void {
      // A document may have no body.
      const page: Element | null = document.body;
      if (page !== null) around(page);
    },
  };
}
