import type { Covered, FormSubmit } from '@drawbridge/page/calls';
import type { EffectClass } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { type CommitMatcher, isAffirmation, isDismissal, saysCommit } from '@drawbridge/protocol/wording';
import { type AskedContent, readContent } from './asked-content.ts';

/** Element context: facts from page code, which may only raise the effect class. */
export interface ElementContext {
  readonly label?: string;
  /** Every text that describes the element's action; the label when there are none. */
  readonly words?: readonly string[];
  readonly submits: boolean;
  /** The element's form asks for a card, an account or a password. */
  readonly sensitive: boolean;
  /** The element itself is a secret field. */
  readonly secret: boolean;
  /** Whether the element affects anything beyond itself; typing in a field does not. */
  readonly sends?: 'never' | 'maybe' | 'surely';
  /** The origin of the answering page code, which for a frame differs from the tab's. */
  readonly origin?: string;
  /** Set when a person is asked. */
  readonly content?: AskedContent;
  /** The form that would be sent with a method other than GET. */
  readonly form?: FormSubmit;
  /** Address of a link that an agent may have written. */
  readonly leads?: string;
  /** The page sends the form by itself, without a press on its button. */
  readonly byItself?: boolean;
  readonly covered?: Covered;
  /** The button has no other words than its price. */
  readonly priced?: boolean;
}

/** Structural facts come first, because they hold without any text. */
export function effectOfPress(
  elementContext: ElementContext,
  commits: CommitMatcher = saysCommit,
): EffectClass {
  if (elementContext.sends === 'never') return 'act';
  if (elementContext.sends === 'surely') return 'irreversible';
  if (elementContext.submits && elementContext.sensitive) return 'irreversible';
  if (elementContext.covered?.words === true || elementContext.priced === true) return 'irreversible';
  const texts = [...(elementContext.words ?? []), elementContext.label ?? ''];
  return [...texts, texts.join(' ')].some(commits) ? 'irreversible' : 'act';
}

/** Classifies a tool by its name and description alone: `deleteRow`, "Deletes a row". */
export function effectOfWords(text: string): EffectClass {
  const forms = [text, ...['s', 'es', 'd', 'ed', 'ing', 'ion'].map((end) => withoutEnding(text, end))];
  return forms.some((form) => saysCommit(form)) ? 'irreversible' : 'act';
}

const withoutEnding = (text: string, end: string): string =>
  text.replace(new RegExp(`${end}(?![\\p{L}])`, 'giu'), '');

const MOST_WORDS = 100;
const MOST_AROUND = 20;

/** Texts of a dialog that a press on one of its buttons answers. A button that closes the dialog answers nothing. */
function answeredTexts(value: unknown, words: readonly string[]): string[] {
  if (!isObject(value) || isDismissal(words)) return [];
  const list = (each: unknown) => (Array.isArray(each) ? each.slice(0, MOST_AROUND).map(String) : []);
  const texts = [...list(value['asks']), ...(isAffirmation(words) ? list(value['heads']) : [])];
  // "Pays 100 € at once" describes a button that pays.
  return texts.map((text) =>
    saysCommit(text) || !saysCommit(withoutEnding(text, 's')) ? text : withoutEnding(text, 's'),
  );
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

const readCovered = ({ token, words }: Readonly<Record<string, unknown>>): Covered => ({
  token: String(token),
  words: words !== false,
});

/** Adds the title or image text that made the call irreversible to the label, so that a person reads it. */
function labelWithReason(label: string, words: readonly string[]): string {
  const reason = saysCommit(label) ? undefined : words.find(saysCommit);
  if (reason === undefined) return label;
  return label === '' ? aroundCommit(reason) : `${label} · ${aroundCommit(reason)}`;
}

const REASON_CHARS = 120;

/** The part of a long text that made the call irreversible. */
function aroundCommit(text: string): string {
  for (let at = 0; text.length > REASON_CHARS && at < text.length; at += REASON_CHARS / 2) {
    const part = text.slice(at, at + REASON_CHARS);
    if (saysCommit(part)) return `… ${part} …`;
  }
  return text;
}

/** Parses the element context; missing facts get the strictest reading. */
export function readElementContext(value: unknown): ElementContext {
  if (!isObject(value)) return { submits: true, sensitive: true, secret: true };
  const { sends, origin } = value;
  const own = Array.isArray(value['words']) ? value['words'].slice(0, MOST_WORDS).map(String) : undefined;
  const answered = answeredTexts(value['around'], own ?? []);
  const words = own === undefined ? undefined : [...own, ...answered];
  const said = labelWithReason(typeof value['label'] === 'string' ? value['label'] : '', own ?? []);
  const label = [said, ...answered.filter((text) => saysCommit(text))]
    .filter((text) => text !== '')
    .join(' · ');
  const form = value['form'] === undefined ? undefined : readForm(value['form']);
  const content = value['content'] === undefined ? undefined : readContent(value['content']);
  return {
    ...(content !== undefined && { content }),
    ...(isObject(value['covered']) && { covered: readCovered(value['covered']) }),
    ...(value['priced'] === true && { priced: true }),
    ...(label !== '' && { label }),
    ...(words !== undefined && { words }),
    ...(form !== undefined && { form }),
    ...(sends === 'never' || sends === 'surely' ? { sends } : {}),
    ...(typeof value['leads'] === 'string' && { leads: value['leads'] }),
    ...(typeof origin === 'string' && origin !== '' ? { origin } : {}),
    submits: value['submits'] !== false,
    sensitive: value['sensitive'] !== false,
    secret: value['secret'] !== false,
  };
}
