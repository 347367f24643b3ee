import type { EffectClass } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { type CommitMatcher, isAffirmation, isDismissal, saysCommit } from '@drawbridge/protocol/wording';
import type { FormSubmit } from '../in-page/form-submit.ts';
import { type AskedContent, readContent } from './asked-content.ts';

/** What is known of the element a call is about: told by page code, so believed only where that makes us stricter. */
export interface Purpose {
  /** What the element is called. */
  readonly label?: string;
  /** Every text that says what it does; the label where there are none. */
  readonly words?: readonly string[];
  readonly submits: boolean;
  /** The form it belongs to asks for a card, an account or a password. */
  readonly sensitive: boolean;
  /** The element itself is a secret field. */
  readonly secret: boolean;
  /** Whether anything beyond the element hears of it: writing in a field sets nothing off. */
  readonly sends?: 'never' | 'maybe' | 'surely';
  /** Whose page code answered: a frame's is another than the tab's. */
  readonly origin?: string;
  /** Told when a person is asked. */
  readonly content?: AskedContent;
  /** The form that would be sent by another way than GET. */
  readonly form?: FormSubmit;
}

/** What is structural comes first: it holds without a single word. */
export function effectOfPress(purpose: Purpose, commits: CommitMatcher = saysCommit): EffectClass {
  if (purpose.sends === 'never') return 'act';
  if (purpose.sends === 'surely') return 'irreversible';
  if (purpose.submits && purpose.sensitive) return 'irreversible';
  const texts = [...(purpose.words ?? []), purpose.label ?? ''];
  return [...texts, texts.join(' ')].some(commits) ? 'irreversible' : 'act';
}

/** The same for a tool that is known only by its name and what is said of it: `deleteRow`, "Deletes a row". */
export function effectOfWords(text: string): EffectClass {
  const forms = [text, ...['s', 'es', 'd', 'ed', 'ing', 'ion'].map((end) => withoutEnding(text, end))];
  return forms.some((form) => saysCommit(form)) ? 'irreversible' : 'act';
}

const withoutEnding = (text: string, end: string): string =>
  text.replace(new RegExp(`${end}(?![\\p{L}])`, 'giu'), '');

const MOST_WORDS = 100;
const MOST_AROUND = 20;

/** Texts of a dialog that a press on one of its buttons answers. Leaving a dialog answers nothing. */
function answeredTexts(value: unknown, words: readonly string[]): string[] {
  if (!isObject(value) || isDismissal(words)) return [];
  const list = (each: unknown) => (Array.isArray(each) ? each.slice(0, MOST_AROUND).map(String) : []);
  return [...list(value['asks']), ...(isAffirmation(words) ? list(value['heads']) : [])];
}

function readForm(value: unknown): FormSubmit | undefined {
  if (!isObject(value)) return undefined;
  const { to, what, weighty, texts } = value;
  return {
    to: typeof to === 'string' ? to : 'null',
    what: typeof what === 'string' ? what : '',
    weighty: weighty !== false,
    texts: Array.isArray(texts) ? texts.slice(0, MOST_AROUND).map(String) : [],
  };
}

/** A title or the text of a picture may be what commits: a person reads it beside the name. */
function labelWithReason(label: string, words: readonly string[]): string {
  const reason = saysCommit(label) ? undefined : words.find((text) => saysCommit(text));
  return [label, aroundCommit(reason ?? '')].filter((text) => text !== '').join(' · ');
}

const REASON_CHARS = 120;

/** The part of a long text that commits. */
function aroundCommit(text: string): string {
  for (let at = 0; text.length > REASON_CHARS && at < text.length; at += REASON_CHARS / 2) {
    const part = text.slice(at, at + REASON_CHARS);
    if (saysCommit(part)) return `… ${part} …`;
  }
  return text;
}

/** What page code said, or the strictest reading of what it did not. */
export function readPurpose(value: unknown): Purpose {
  if (!isObject(value)) return { submits: true, sensitive: true, secret: true };
  const { sends, origin } = value;
  const own = Array.isArray(value['words']) ? value['words'].slice(0, MOST_WORDS).map(String) : undefined;
  const answered = answeredTexts(value['around'], own ?? []);
  const words = own === undefined ? undefined : [...own, ...answered];
  const said = labelWithReason(typeof value['label'] === 'string' ? value['label'] : '', own ?? []);
  const label = [said, ...answered.filter((text) => saysCommit(text))]
    .filter((text) => text !== '')
    .join(' · ');
  const form = readForm(value['form']);
  const content = readContent(value['content']);
  return {
    ...(content !== undefined && { content }),
    ...(label !== '' && { label }),
    ...(words !== undefined && { words }),
    ...(form !== undefined && { form }),
    ...(sends === 'never' || sends === 'surely' ? { sends } : {}),
    ...(typeof origin === 'string' && origin !== '' ? { origin } : {}),
    submits: value['submits'] !== false,
    sensitive: value['sensitive'] !== false,
    secret: value['secret'] !== false,
  };
}
