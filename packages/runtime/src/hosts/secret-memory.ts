import type { CarriedSecrets, SecretsNotice } from '@drawbridge/page';
import { echoesOf, foldText, maskEchoes } from '@drawbridge/protocol/secrets';

const VALUES_KEPT = 500;
const TEXTS_KEPT = 200;
const SHORT_CODE = /^\d{3,5}$/;
/** Later, short codes would hide prices and amounts. */
const DOCUMENTS_OF_SHORT_CODE = 3;

/**
 * Secrets that documents of the lent tabs have held, by origin, and texts of the agent, since the next document
 * may repeat them, in any of the tabs. Kept in memory only while a tab is lent.
 */
export class SecretMemory {
  /** By origin, each value with the number of documents that it is still carried into. */
  readonly #values = new Map<string, Map<string, number>>();
  #texts: readonly string[] = [];
  /** Whether any document has held a secret. */
  holdsAny = false;

  get isEmpty(): boolean {
    return !this.holdsAny && this.#texts.length === 0;
  }

  receive({ origin, kept, forgot, texts = [] }: SecretsNotice): void {
    const values = this.#values.get(origin) ?? new Map<string, number>();
    if (forgot !== undefined) values.delete(forgot);
    if (kept !== undefined) {
      const documents = SHORT_CODE.test(kept) ? DOCUMENTS_OF_SHORT_CODE : Number.POSITIVE_INFINITY;
      this.#values.set(origin, values.set(kept, documents));
      this.holdsAny = true;
      const [oldest = ''] = values.keys();
      if (values.size > VALUES_KEPT) values.delete(oldest);
    }
    this.#texts = [...this.#texts, ...texts].slice(-TEXTS_KEPT);
  }

  /** Whether a text has a secret of any origin. Short codes are left out: every long file has three digits. */
  isIn(text: string): boolean {
    const plain = text.replaceAll(/[\s-]/g, '');
    for (const values of this.#values.values())
      for (const value of values.keys())
        if (!SHORT_CODE.test(value) && (text.includes(value) || plain.includes(withoutGaps(value))))
          return true;
    return false;
  }

  /** Masks the secrets of every origin like page code: other words of the agent stay, its own secrets do not. */
  mask(text: string): string {
    const values = [...this.#values.values()].flatMap((each) => [...each.keys()]);
    if (values.length === 0) return text;
    const texts = this.#texts.map((own) => foldText(own).text);
    const isOwn = (value: string) => texts.includes(foldText(value).text);
    const others = echoesOf(values.filter((value) => !isOwn(value)));
    return maskEchoes(maskEchoes(text, others, texts), echoesOf(values.filter(isOwn)));
  }

  /** No tab is lent any more. */
  clear(): void {
    this.#values.clear();
    this.#texts = [];
    this.holdsAny = false;
  }

  /** For a new document of this origin. */
  carried(origin: string): CarriedSecrets {
    const known = this.#values.get(origin) ?? new Map<string, number>();
    const values = [...known.keys()];
    for (const [value, documents] of known) {
      if (documents > 1) known.set(value, documents - 1);
      else known.delete(value);
    }
    return { values, texts: this.#texts };
  }
}

const withoutGaps = (value: string): string => value.replaceAll(/[\s-]/g, '') || value;
