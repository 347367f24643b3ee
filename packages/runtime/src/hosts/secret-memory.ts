import type { CarriedSecrets, SecretsNotice } from '@drawbridge/page';

const VALUES_KEPT = 500;
const UNITS_KEPT = 5_000;
const NUMBERS_KEPT = 20_000;
/** Short codes are carried into the next document only: later they would mask prices and amounts. */
const SHORT_CODE = /^\d{3,5}$/;

/**
 * Secrets that documents of one tab have held, by origin, and texts of the agent, since the next document may
 * repeat them. Kept in memory only while the tab is lent.
 */
export class SecretMemory {
  readonly #values = new Map<string, Set<string>>();
  readonly #units = new Set<string>();
  readonly #numbers = new Set<string>();
  holdsAny = false;

  get isEmpty(): boolean {
    return !this.holdsAny && this.#units.size + this.#numbers.size === 0;
  }

  hear({ origin, kept, forgot, units = [], numbers = [] }: SecretsNotice): void {
    const values = this.#values.get(origin) ?? new Set();
    if (forgot !== undefined) values.delete(forgot);
    if (kept !== undefined) {
      this.#values.set(origin, values.add(kept));
      this.holdsAny = true;
      const [oldest = ''] = values;
      if (values.size > VALUES_KEPT) values.delete(oldest);
    }
    for (const unit of units) if (this.#units.size < UNITS_KEPT) this.#units.add(unit);
    for (const number of numbers) if (this.#numbers.size < NUMBERS_KEPT) this.#numbers.add(number);
  }

  /** For a new document of this origin. */
  carried(origin: string): CarriedSecrets {
    const known = this.#values.get(origin) ?? new Set<string>();
    const values = [...known];
    for (const value of values) if (SHORT_CODE.test(value)) known.delete(value);
    return { values, units: [...this.#units], numbers: [...this.#numbers] };
  }
}
