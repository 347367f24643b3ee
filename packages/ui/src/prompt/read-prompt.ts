import type { Words } from '../words/en.ts';

/** What a browser's question says, line by line, as the relay writes it. */
export interface ReadPrompt {
  readonly headline: string;
  readonly origin: string;
  /** What goes into the page or leaves it. */
  readonly data: readonly string[];
  readonly isFinal: boolean;
  readonly elementId?: string;
}

const WHERE = 'Where: ';
const ITEM = '· ';
const FINAL = 'It may not be undone.';

/**
 * Undefined for what is written otherwise, which is shown as it stands. A page chooses what its buttons are called, so
 * where it happens is read from the line of its own, never from the sentence.
 */
export function readPrompt(text: string, { prompt }: Words): ReadPrompt | undefined {
  const [sentence = '', place = '', ...lines] = text.split('\n');
  if (!place.startsWith(WHERE)) return undefined;
  const data = lines.filter((line) => line.startsWith(ITEM)).map((line) => line.slice(ITEM.length));
  const elementId = data.map((line) => /^id: (.+)$/.exec(line)?.[1]).find((id) => id !== undefined);
  return {
    headline: inWords(sentence, prompt) ?? sentence,
    origin: place.slice(WHERE.length),
    data: data.filter((line) => !line.startsWith('id: ')),
    isFinal: lines.includes(FINAL),
    ...(elementId !== undefined && { elementId }),
  };
}

type Does = Readonly<Record<string, (thing: string) => string>>;

/** `element.click on “Pay 49 €” at https://shop.example, which may not be undone` */
function inWords(sentence: string, { does, named }: Words['prompt']): string | undefined {
  const [, name = '', label] = /^(\S+) on “(.*)” at /.exec(sentence) ?? [];
  const known: Does = does;
  if (label === undefined || !Object.hasOwn(known, name)) return undefined;
  return known[name]?.(named(label));
}
