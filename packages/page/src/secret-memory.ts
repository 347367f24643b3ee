import { cleanValue } from './extract/clean-value.ts';
import { MASK } from './secrets/scrub.ts';
import { rawValueOf, secretsMet } from './secrets/secret-field.ts';
import type { Watch } from './watch/watch.ts';

/** What secret fields have held, for as long as the page lives: a page may repeat it when the field has gone. */
export interface SecretMemory {
  /** The same data without any of it, as typed or as an address carries it. */
  readonly clean: <Answer>(answer: Answer) => Answer;
  readonly close: () => void;
}

/** Shorter values turn up by chance. */
const SHORTEST = 4;
const VALUES_KEPT = 50;

export function createSecretMemory(watch: Pick<Watch, 'onActivity'>): SecretMemory {
  const latest = new WeakMap<Element, string>();
  const values = new Set<string>();

  function learn(): void {
    for (const field of secretsMet()) {
      const value = field.localName === 'select' ? '' : (rawValueOf(field) ?? '').trim();
      const shorter = latest.get(field);
      if (value.length < SHORTEST || value === shorter) continue;
      // Each keystroke makes a longer one: only the last of a field is kept.
      if (shorter !== undefined && value.startsWith(shorter)) values.delete(shorter);
      latest.set(field, value);
      values.add(value);
      const [oldest] = values;
      if (values.size > VALUES_KEPT && oldest !== undefined) values.delete(oldest);
    }
  }

  const close = watch.onActivity(learn);
  return {
    clean<Answer>(answer: Answer): Answer {
      learn();
      const forms = [...values].flatMap(formsOf).sort((one, other) => other.length - one.length);
      const text = forms.length === 0 ? '' : JSON.stringify(answer);
      const found = forms.filter((form) => text.includes(JSON.stringify(form).slice(1, -1)));
      if (found.length === 0) return answer;
      const masked = (dirty: string) => found.reduce((clean, form) => clean.replaceAll(form, MASK), dirty);
      return cleanValue(answer, masked) as Answer;
    },
    close,
  };
}

const formsOf = (value: string): string[] => [
  ...new Set([value, encodeURIComponent(value), encodeURI(value)]),
];
