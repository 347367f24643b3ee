import { holdsLooseSecret } from './forms.ts';

/** Whether a page asks for a secret outside every form. */
export interface LooseSecrets {
  readonly around: (page: Element) => boolean;
  /** Looks now, so that whoever asks next need not. */
  readonly look: () => void;
}

/**
 * Every press asks, and to look through a page of thousands takes longer than the press: what was found holds for as
 * long as nothing is heard of the page.
 */
export function createLooseSecrets(document: Document, moment: () => number): LooseSecrets {
  let known: { readonly page: Element; readonly moment: number; readonly holds: boolean } | undefined;
  const around = (page: Element): boolean => {
    const now = moment();
    if (known?.page !== page || known.moment !== now)
      known = { page, moment: now, holds: holdsLooseSecret(page) };
    return known.holds;
  };
  return {
    around,
    look() {
      // A document that is no page has none.
      const page: Element | null = document.body;
      if (page !== null) around(page);
    },
  };
}
