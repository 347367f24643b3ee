import type { Words } from '../words/en.ts';

/** What a browser's question says, line by line, as the relay writes it. */
export interface ReadPrompt {
  readonly headline: string;
  readonly origin: string;
  /** The title of the page. */
  readonly page?: string;
  /** Title and origin of the page around the frame in which it would happen. */
  readonly frameOn?: string;
  readonly destination?: string;
  readonly amounts: readonly string[];
  /** Fields that the form would send. */
  readonly sends: readonly string[];
  /** Both versions, where the page changed after an earlier yes. */
  readonly changed?: { readonly before: readonly string[]; readonly now: readonly string[] };
  /** What goes into the page or leaves it. */
  readonly data: readonly string[];
  readonly isFinal: boolean;
  readonly elementId?: string;
}

const WHERE = 'Where: ';
const ITEM = '· ';
/** The second is what prompts of an earlier relay say. */
const FINAL = ['This can’t be undone.', 'It may not be undone.'];
const ELEMENT = /^(?:"id": "(.+)"|id: (.+))$/;

/**
 * Undefined for what is written otherwise, which is shown as it stands. A page chooses what its buttons are called, so
 * where it happens is read from the line of its own, never from the sentence.
 */
export function readPrompt(text: string, { prompt }: Words): ReadPrompt | undefined {
  const [sentence = '', place = '', ...lines] = text.split('\n');
  if (!place.startsWith(WHERE)) return undefined;
  const after = (begin: string) =>
    lines.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length));
  const data = after(ITEM);
  const [page] = after('Page: ');
  const [frameOn] = after('In a frame on: ');
  const [destination] = after('Sends to: ');
  const [, quoted, bare] = data.map((line) => ELEMENT.exec(line)).find((found) => found !== null) ?? [];
  const elementId = quoted ?? bare;
  return {
    headline: inWords(sentence, prompt) ?? sentence,
    origin: place.slice(WHERE.length),
    ...(page !== undefined && { page }),
    ...(frameOn !== undefined && { frameOn }),
    ...(destination !== undefined && { destination }),
    amounts: after('Amount: '),
    sends: after('Sends: '),
    ...(lines.includes(CHANGED) && { changed: { before: after('Before: '), now: after('Now: ') } }),
    data: data.filter((line) => !ELEMENT.test(line)),
    isFinal: FINAL.some((line) => lines.includes(line)),
    ...(elementId !== undefined && { elementId }),
  };
}

const CHANGED = 'Changed while you were asked.';

type Does = Readonly<Record<string, (thing: string) => string>>;

/** `element.click on “Pay 49 €” at https://shop.example. This can’t be undone.` */
function inWords(sentence: string, { does, named }: Words['prompt']): string | undefined {
  const [, name = '', label] = /^(\S+) on “(.*)” at /.exec(sentence) ?? [];
  const known: Does = does;
  if (label === undefined || !Object.hasOwn(known, name)) return undefined;
  return known[name]?.(named(label));
}
