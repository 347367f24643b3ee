import { toolTitle } from '@drawbridge/protocol/sentences';
import type { Words } from '../words/en.ts';

/** A browser's question, parsed from the lines that the relay writes. */
export interface ReadPrompt {
  /** The agent, by its device's name. */
  readonly asker?: string;
  readonly headline: string;
  /** The reach of a yes. */
  readonly covers: Covers;
  /** Sentences below the headline: why a form is sent. */
  readonly notes: readonly string[];
  readonly origin: string;
  /** The title of the page. */
  readonly page?: string;
  /** Title and origin of the page around the frame in which it would happen. */
  readonly frameOn?: string;
  /** How the site's map describes its tool, where the headline does not say all of it. */
  readonly tool?: string;
  /** The agent's last steps, oldest first. */
  readonly steps: readonly string[];
  readonly destination?: string;
  readonly amounts: readonly string[];
  /** Prices of which none is certain to be paid. */
  readonly prices: readonly string[];
  readonly goods: readonly string[];
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

/** An action may be allowed each time; a form, a site and an address are asked about once. */
export type Covers = 'action' | 'form' | 'site' | 'address';

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
  const items = after(ITEM);
  const pressed = items.find((line) => PRESSED.test(line));
  const said = questionIn(sentence, pressed, prompt);
  const plain = said?.headline ?? inWords(sentence, prompt);
  const data = said === undefined ? items : items.filter((line) => !SAID.test(line));
  const [asker] = after('Asked by: ');
  const [page] = after('Page: ');
  const [frameOn] = after('In a frame on: ');
  const [tool] = after('Tool: ');
  const more = plain !== undefined ? (tool ?? '') : restOf(tool ?? '');
  const [destination] = after('Sends to: ');
  const [, quoted, bare] = data.map((line) => ELEMENT.exec(line)).find((found) => found !== null) ?? [];
  const elementId = quoted ?? bare;
  const since = lines.includes(SINCE_ALLOWED) ? 'allowed' : lines.includes(SINCE_ASKED) ? 'asked' : undefined;
  return {
    ...(asker !== undefined && { asker }),
    headline: plain ?? toolSentence(sentence, tool, prompt) ?? sentence,
    covers: said?.covers ?? 'action',
    notes: said?.notes ?? [],
    origin: location.slice(WHERE.length),
    ...(page !== undefined && { page }),
    ...(frameOn !== undefined && { frameOn }),
    ...(more !== '' && { tool: more }),
    steps: after('Step: '),
    ...(destination !== undefined && { destination }),
    amounts: after('Amount: '),
    prices: after('Price on the page: '),
    goods: after('Goods: '),
    sends: after('Sends: ').map(fieldLine),
    ...(since && { changed: { before: after('Before: '), now: after('Now: '), since } }),
    data: data.filter((line) => !ELEMENT.test(line)).map(fieldLine),
    isFinal: FINAL.some((line) => lines.includes(line)),
    ...(elementId !== undefined && { elementId }),
  };
}

/** Lines that the headline and the notes repeat in words. */
const SAID = /^(?:pressing|its button): “|^address: |^a yes counts for /;
const PRESSED = /^pressing: “.+”$/;

interface Said extends Pick<ReadPrompt, 'covers'> {
  readonly headline: string;
  readonly notes: readonly string[];
}

/** A question that is a whole sentence of a runtime, in the reader's language. */
function questionIn(sentence: string, pressed: string | undefined, words: Words['prompt']): Said | undefined {
  const [, site, cause] =
    /^Send this form to (\S+|a sandboxed frame)\?( The page sends it .+\.)? A yes stands for this form/.exec(
      sentence,
    ) ?? [];
  if (site !== undefined) {
    const label = pressed?.slice('pressing: “'.length, -1);
    return label === undefined
      ? { headline: words.formTo(site), notes: cause ? [words.byItself] : [], covers: 'form' }
      : {
          headline: words.does['element.click'](words.named(label)),
          notes: [words.sendsForm(site)],
          covers: 'form',
        };
  }
  const [, button] = /^Send the form “(.*)” at .+\? The page sends it /.exec(sentence) ?? [];
  if (button !== undefined)
    return { headline: words.formNamed(button), notes: [words.byItself], covers: 'action' };
  const [, host] = /^Read pages of (\S+)\? A yes counts for this site/.exec(sentence) ?? [];
  if (host !== undefined) return { headline: words.readsPages(host), notes: [], covers: 'site' };
  const [, address] = /^\S+ at (\S+), an address in your own network$/.exec(sentence) ?? [];
  if (address !== undefined) return { headline: words.opensAddress(address), notes: [], covers: 'address' };
  const [, tools] = /^Let the agent use developer tools at (\S+): /.exec(sentence) ?? [];
  if (tools !== undefined)
    return { headline: words.inspects(tools), notes: [words.inspectsWhat], covers: 'site' };
  const [, stored] = /^Let the agent read values that (\S+) stored in this browser$/.exec(sentence) ?? [];
  if (stored !== undefined) return { headline: words.readsStored(stored), notes: [], covers: 'site' };
  return undefined;
}

/** `"Quantity": "2"` and `"quantity": 2` as `Quantity: 2`; anything less plain stays as it is. */
const fieldLine = (line: string): string =>
  line
    .replace(/^"([^"\\]*)": "([^"\\]*)"$/, '$1: $2')
    .replace(/^"([^"\\]*)": (-?[\d.]+|true|false)$/, '$1: $2')
    // A secret and an empty field have no quoted value.
    .replace(/^"([^"\\]*)"( \(hidden\))?: (•+|empty)$/, '$1$2: $3');

/** `shop.pay at https://…`, of a tool that a map describes: in the map's words, its name means nothing to a person. */
function toolSentence(sentence: string, tool: string | undefined, { uses, named }: Words['prompt']) {
  if (tool === undefined || !/^\S+ at /.test(sentence)) return undefined;
  return uses(named(toolTitle(tool)));
}

/** Sentences after the one in the headline; everything where that is shortened. */
function restOf(tool: string): string {
  const title = toolTitle(tool);
  return tool.startsWith(title) ? tool.slice(title.length).replace(/^[.!?]\s*/, '') : tool;
}

const SINCE_ASKED = 'Changed while you were asked.';
const SINCE_ALLOWED = 'Changed since you last allowed it.';

type Does = Readonly<Record<string, (thing: string) => string>>;

/** The first line of a prompt or message; a browser's question in words. */
export function headlineOf(text: string, words: Words): string {
  const [sentence = ''] = text.split('\n', 1);
  const known = readPrompt(text, words)?.headline;
  if (known !== undefined) return known;
  return (
    questionIn(sentence, undefined, words.prompt)?.headline ?? inWords(sentence, words.prompt) ?? sentence
  );
}

/** `element.click on “Pay 49 €” at https://shop.example. This can’t be undone.` */
function inWords(sentence: string, words: Words['prompt']): string | undefined {
  const { does, named, wantsBrowser, something } = words;
  const agent = /^(.+) wants to use the browser\.$/.exec(sentence)?.[1];
  if (agent !== undefined) return wantsBrowser(agent);
  const [, name = '', label] = /^(\S+)(?: on “(.*)”)? at /.exec(sentence) ?? [];
  const known: Does = does;
  if (!Object.hasOwn(known, name)) return undefined;
  const headline = known[name]?.(label === undefined ? something : named(label));
  return headline?.replace(/^./u, (first) => first.toUpperCase());
}
