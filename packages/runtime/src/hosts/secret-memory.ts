import type { CarriedSecrets, SecretsNotice } from '@drawbridge/page';

const VALUES_KEPT = 500;
const TEXTS_KEPT = 200;
/** Short codes are carried into one more document only: later they would hide prices and amounts. */
const SHORT_CODE = /^\d{3,5}$/;

/**
 * Secrets that documents of one tab have held, by origin, and texts of the agent: the next document may repeat them.
 * In memory only, for as long as the tab is lent.
 */
export class SecretMemory {
  readonly #values = new Map<string, Set<string>>();
  #texts: readonly string[] = [];
  /** Whether any document has held a secret. */
  holdsAny = false;

  get isEmpty(): boolean {
    return !this.holdsAny && this.#texts.length === 0;
  }

  hear({ origin, kept, forgot, texts = [] }: SecretsNotice): void {
    const values = this.#values.get(origin) ?? new Set();
    if (forgot !== undefined) values.delete(forgot);
    if (kept !== undefined) {
      this.#values.set(origin, values.add(kept));
      this.holdsAny = true;
      const [oldest = ''] = values;
      if (values.size > VALUES_KEPT) values.delete(oldest);
    }
    this.#texts = [...this.#texts, ...texts].slice(-TEXTS_KEPT);
  }

  /** For a new document of this origin. */
  carried(origin: string): CarriedSecrets {
    const known = this.#values.get(origin) ?? new Set<string>();
    const values = [...known];
    for (const value of values) if (SHORT_CODE.test(value)) known.delete(value);
    return { values, texts: this.#texts };
  }
}
