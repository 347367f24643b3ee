import { createScrubber, isSecretField } from '@drawbridge/page';

/** Takes secrets out of what is about to leave the page. */
export interface Cleaner {
  readonly clean: <Answer>(answer: Answer) => Answer;
  readonly close: () => void;
}

/** Shorter values turn up by chance. */
const SHORTEST = 4;
const VALUES_KEPT = 50;
const MASK = '•••';
const FIELDS = 'input, textarea, [contenteditable]';

/** A page may repeat what was typed into a secret field after the field has gone, so that is remembered. */
export function createCleaner(window: Window & typeof globalThis): Cleaner {
  const { document } = window;
  const latest = new WeakMap<Element, string>();
  const values = new Set<string>();

  function learn(field: Element): void {
    const value = heldBy(field).trim();
    const shorter = latest.get(field);
    if (value.length < SHORTEST || value === shorter || !isSecretField(field)) return;
    // Each keystroke makes a longer one: only the last of a field is kept.
    if (shorter !== undefined && value.startsWith(shorter)) values.delete(shorter);
    latest.set(field, value);
    values.add(value);
    const [oldest] = values;
    if (values.size > VALUES_KEPT && oldest !== undefined) values.delete(oldest);
  }

  const onInput = (event: Event) => {
    const [field] = event.composedPath();
    if (field instanceof window.Element && field.matches(FIELDS)) learn(field);
  };
  for (const type of ['input', 'change']) window.addEventListener(type, onInput, { capture: true });

  return {
    clean<Answer>(answer: Answer): Answer {
      for (const field of document.querySelectorAll(FIELDS)) learn(field);
      const scrubber = createScrubber([document]);
      const forms = [...values].flatMap(formsOf).sort((one, other) => other.length - one.length);
      return parseCleaned(
        cleaned(answer, (text) =>
          forms.reduce((clean, form) => clean.replaceAll(form, MASK), scrubber.text(text)),
        ),
      );
    },
    close() {
      for (const type of ['input', 'change']) window.removeEventListener(type, onInput, { capture: true });
    },
  };
}

const heldBy = (field: Element): string => {
  const value: unknown = Reflect.get(field, 'value');
  return typeof value === 'string' ? value : (field.textContent ?? '');
};

const formsOf = (value: string): string[] => [
  ...new Set([value, encodeURIComponent(value), encodeURI(value)]),
];

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((inner) => cleaned(inner, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner, clean)]));
}

/** Cleaning keeps the shape of an answer: only its texts change. */
const parseCleaned = <Answer>(value: unknown): Answer => value as Answer;
