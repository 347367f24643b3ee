import { createScrubber, MASK } from '../secrets/scrub.ts';
import { isSecretField, rawValueOf } from '../secrets/secret-field.ts';
import { isSecretByValue, namesASecret } from '../secrets/secret-words.ts';

/** Takes secrets out of text that is about to leave the page. */
export interface SecretEcho {
  readonly clean: (text: string) => string;
  /** A value that was typed into a secret field and may outlive the field. */
  readonly learn: (field: Element) => void;
}

/** Shorter values turn up by chance. */
const SHORTEST = 4;
const LEARNT_KEPT = 30;

const CARD_OR_ACCOUNT = /(?:[A-Z]{2}\d{2}[\dA-Z ]{11,34}|\d(?:[ -]?\d){12,18})/g;
/** What a code or a fresh password looks like in a sentence that speaks of one. */
const CODE = /(?<![\p{L}\p{N}])(?=[^\s]*\d)[\p{L}\p{N}][\p{L}\p{N}_!@#$%&*+=-]{3,63}/gu;
const SPACED_CODE = /(?<!\d)\d{3}[ -]\d{3}(?!\d)/g;

/**
 * A page repeats what was typed: in a message, an address, a label, sometimes after the form has gone.
 * And it says codes of its own ("Your code is 482913"), which are as secret as a field's.
 */
export function createSecretEcho(documents: () => Iterable<Document>): SecretEcho {
  const latest = new WeakMap<Element, string>();
  const learnt = new Set<string>();

  return {
    learn(field) {
      const value = (rawValueOf(field) ?? '').trim();
      if (value.length < SHORTEST || !isSecretField(field)) return;
      // Each keystroke makes a longer one: only the last of a field is kept.
      const shorter = latest.get(field);
      if (shorter !== undefined && value.startsWith(shorter)) learnt.delete(shorter);
      latest.set(field, value);
      learnt.add(value);
      const [oldest] = learnt;
      if (learnt.size > LEARNT_KEPT && oldest !== undefined) learnt.delete(oldest);
    },
    clean(text) {
      if (text === '') return text;
      let cleaned = createScrubber(documents()).text(text);
      for (const value of [...learnt].sort((one, other) => other.length - one.length)) {
        for (const form of formsOf(value)) cleaned = cleaned.replaceAll(form, MASK);
      }
      cleaned = cleaned.replace(CARD_OR_ACCOUNT, (number) => (isSecretByValue(number) ? MASK : number));
      return namesASecret(cleaned) ? cleaned.replace(SPACED_CODE, MASK).replace(CODE, MASK) : cleaned;
    },
  };
}

/** As typed, and as an address carries it. */
function formsOf(value: string): string[] {
  const encoded = encodeURIComponent(value);
  return [
    ...new Set([
      value,
      encoded,
      encoded.replaceAll('%20', '+'),
      new URLSearchParams([['', value]]).toString().slice(1),
    ]),
  ];
}
