import { foldText, SHORTEST } from '@drawbridge/protocol/secrets';

const TEXTS_KEPT = 200;
const TEXT_CHARS = 2_000;
/** Shorter texts are put together with the next: keys come one by one. */
const SHORT_CHARS = 4;

/** Texts that came with calls, folded, the newest last. */
const texts: string[] = [];

/** Texts of the agent, normalized for comparison. */
export interface AgentText {
  readonly texts: readonly string[];
}

let onText: (text: AgentText) => void = () => {};

/** Calls back with each new text. */
export function followAgent(receive: (text: AgentText) => void): void {
  onText = receive;
}

/** Texts that the agent wrote, in this document or one before. */
export const agentTexts = (): readonly string[] => texts;

/** Whether a value is part of a text that came with a call. */
export function isSupplied(value: string): boolean {
  const folded = foldText(value).text;
  return texts.some((text) => text.includes(folded));
}

export function carryText(carried: AgentText): void {
  for (const text of carried.texts) keep(text);
}

function keep(text: string): void {
  const known = texts.indexOf(text);
  if (known !== -1) texts.splice(known, 1);
  texts.push(text);
  if (texts.length > TEXTS_KEPT) texts.shift();
}

/** Arguments that only locate elements and never reach the page. */
const LOCATING: ReadonlySet<string> = new Set(
  'id locator target selector frame from to expected origin'.split(' '),
);

/** Notes the texts of a call. */
export function noteSupplied(value: unknown): void {
  if (typeof value === 'string') noteText(value);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) if (!LOCATING.has(key)) noteSupplied(inner);
}

const ADDRESS = /^https?:\/\/[^/]*(?<path>\/.+)$/;

/** Short texts in a row, put together. */
let typed = '';

function noteText(given: string): void {
  typed = given.length < SHORT_CHARS ? `${typed}${given}`.slice(-TEXT_CHARS) : '';
  const path = ADDRESS.exec(given)?.groups?.['path'];
  const added = [given, typed, path ?? '']
    .map((text) => foldText(text.slice(-TEXT_CHARS)).text.trim())
    .filter(({ length }) => length >= SHORTEST);
  for (const text of added) keep(text);
  if (added.length > 0) onText({ texts: added });
}
