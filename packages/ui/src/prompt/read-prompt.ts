import type { Words } from '../words/en.ts';

/** A browser's question, parsed from the lines that the relay writes. */
export interface ReadPrompt {
  /** The agent, by its device's name. */
  readonly asker?: string;
  readonly headline: string;
  readonly origin: string;
  /** The title of the page. */
  readonly page?: string;
  /** Title and origin of the page around the frame in which it would happen. */
  readonly frameOn?: string;
  /** How the site's map describes its tool. */
  readonly tool?: string;
  /** The agent's last steps, oldest first. */
  readonly steps: readonly string[];
  readonly destination?: string;
  readonly amounts: readonly string[];
  /** Fields that the form would send. */
  readonly sends: readonly string[];
  /** Both versions, where the page changed after an earlier yes. */
  readonly changed?: {
    readonly before: readonly string[];
    readonly now: readonly string[];
    readonly since: 'asked' | 'allowed';
  };
  /** Data that goes into the page or leaves it. */
  readonly data: readonly string[];
  readonly isFinal: boolean;
  readonly elementId?: string;
}

const WHERE = 'Where: ';
const ITEM = '· ';
/** The second text comes from earlier relays. */
const FINAL = ['This can’t be undone.', 'It may not be undone.'];
const ELEMENT = /^(?:"id": "(.+)"|id: (.+))$/;

/**
 * Undefined for other formats, which are shown as they are. Reads the place from its own line, never from the
 * sentence, because a page chooses its buttons' names.
 */
export function readPrompt(text: string, { prompt }: Words): ReadPrompt | undefined {
  const [sentence = '', location = '', ...lines] = text.split('\n');
  if (!location.startsWith(WHERE)) return undefined;
  const after = (begin: string) =>
    lines.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length));
  const data = after(ITEM);
  const [asker] = after('Asked by: ');
  const [page] = after('Page: ');
  const [frameOn] = after('In a frame on: ');
  const [tool] = after('Tool: ');
  const [destination] = after('Sends to: ');
  const [, quoted, bare] = data.map((line) => ELEMENT.exec(line)).find((found) => found !== null) ?? [];
  const elementId = quoted ?? bare;
  const since = lines.includes(SINCE_ALLOWED) ? 'allowed' : lines.includes(SINCE_ASKED) ? 'asked' : undefined;
  return {
    ...(asker !== undefined && { asker }),
    headline: inWords(sentence, prompt) ?? toolSentence(sentence, tool, prompt) ?? sentence,
    origin: location.slice(WHERE.length),
    ...(page !== undefined && { page }),
    ...(frameOn !== undefined && { frameOn }),
    ...(tool !== undefined && { tool }),
    steps: after('Step: '),
    ...(destination !== undefined && { destination }),
    amounts: after('Amount: '),
    sends: after('Sends: ').map(fieldLine),
    ...(since && { changed: { before: after('Before: '), now: after('Now: '), since } }),
    data: data.filter((line) => !ELEMENT.test(line)).map(fieldLine),
    isFinal: FINAL.some((line) => lines.includes(line)),
    ...(elementId !== undefined && { elementId }),
  };
}

/** `"Quantity": "2"` and `"quantity": 2` as `Quantity: 2`; anything less plain stays as it is. */
const fieldLine = (line: string): string =>
  line
    .replace(/^"([^"\\]*)": "([^"\\]*)"$/, '$1: $2')
    .replace(/^"([^"\\]*)": (-?[\d.]+|true|false)$/, '$1: $2')
    // A secret and an empty field have no quoted value.
    .replace(/^"([^"\\]*)"( \(hidden\))?: (•+|empty)$/, '$1$2: $3');

/** `shop.pay at https://…`, of a tool that a map describes. */
function toolSentence(sentence: string, tool: string | undefined, { uses }: Words['prompt']) {
  const name = /^(\S+) at /.exec(sentence)?.[1];
  return tool === undefined || name === undefined ? undefined : uses(name);
}

const SINCE_ASKED = 'Changed while you were asked.';
const SINCE_ALLOWED = 'Changed since you last allowed it.';

type Does = Readonly<Record<string, (thing: string) => string>>;

/** The first line of a prompt or message; a browser's question in words. */
export function headlineOf(text: string, words: Words): string {
  const [sentence = ''] = text.split('\n', 1);
  return readPrompt(text, words)?.headline ?? inWords(sentence, words.prompt) ?? sentence;
}

/** `element.click on “Pay 49 €” at https://shop.example. This can’t be undone.` */
function inWords(sentence: string, { does, named, wantsBrowser }: Words['prompt']): string | undefined {
  const agent = /^(.+) wants to use the browser\.$/.exec(sentence)?.[1];
  if (agent !== undefined) return wantsBrowser(agent);
  const [, name = '', label] = /^(\S+) on “(.*)” at /.exec(sentence) ?? [];
  const known: Does = does;
  if (label === undefined || !Object.hasOwn(known, name)) return undefined;
  return known[name]?.(named(label));
}
