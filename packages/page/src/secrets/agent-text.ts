import { numbersOf, type SuppliedText, unitsOf } from '@drawbridge/protocol/secrets';

const TEXTS_KEPT = 200;
const TEXT_CHARS = 2_000;
const UNITS_KEPT = 5_000;
const NUMBERS_KEPT = 20_000;
/** Shorter texts are joined with the next, as keys come one by one. */
const SHORT_CHARS = 4;
const LONGEST_CODE = 7;
/** From this length on, a part of a unit counts. */
const SHORTEST_PART = 4;
/** A larger page is not searched for shown text. */
const MOST_PAGE_CHARS = 4_000_000;

/** Texts from calls, the newest last. */
const texts: string[] = [];
/** Units and numbers in them that the page did not show before; every one counts when there were too many to store. */
const units = new Set<string>();
const numbers = new Set<string>();
let joinedUnits: string | undefined;

/** Whether a value is part of a text from a call. */
export const isSupplied = (value: string): boolean => texts.some((text) => text.includes(value));

export const suppliedText: SuppliedText = {
  hasNumber: (digits) => numbers.size >= NUMBERS_KEPT || numbers.has(digits),
  hasUnit: (unit) =>
    units.size >= UNITS_KEPT ||
    (unit.length >= SHORTEST_PART && isPart(unit)) ||
    units.has(unit) ||
    [...units].some((known) => known.length >= SHORTEST_PART && unit.includes(known)),
  hasPart: (part) => isPart(part),
};

function isPart(part: string): boolean {
  joinedUnits ??= [...units].join('\n');
  return joinedUnits.includes(part);
}

/** Texts of the agent, normalized for comparison. */
export interface AgentText {
  readonly units: readonly string[];
  readonly numbers: readonly string[];
}

let onText: (text: AgentText) => void = () => {};

/** Calls back with each new text. */
export function followAgent(hear: (text: AgentText) => void): void {
  onText = hear;
}

/** Texts that the agent wrote in earlier documents. */
export function carryText(text: AgentText): void {
  for (const unit of text.units) if (units.size < UNITS_KEPT) units.add(unit);
  for (const number of text.numbers) if (numbers.size < NUMBERS_KEPT) numbers.add(number);
  joinedUnits = undefined;
}

/** Codes in an address that an agent may have opened. */
export function noteAddress(path: string): void {
  carryText({ units: [], numbers: numbersOf(path).filter(({ length }) => length <= LONGEST_CODE) });
}

/** Records the texts of a call, except those an agent can already read on the page, from `shown`. */
export function noteSupplied(value: unknown, shown: () => string): void {
  let page: Shown | undefined;
  noteAll(value, () => {
    page ??= shownIn(shown());
    return page;
  });
}

/** Arguments that only locate elements and never reach the page. */
const LOCATING: ReadonlySet<string> = new Set(
  'id locator target selector frame from to expected origin'.split(' '),
);

interface Shown {
  readonly units: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
}

function shownIn(page: string): Shown {
  const text = page.length > MOST_PAGE_CHARS ? '' : page;
  return { units: new Set(unitsOf(text)), numbers: new Set(numbersOf(text)) };
}

function noteAll(value: unknown, page: () => Shown): void {
  if (typeof value === 'string') noteText(value, page);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) if (!LOCATING.has(key)) noteAll(inner, page);
}

function noteText(given: string, page: () => Shown): void {
  const last = given.length < SHORT_CHARS ? (texts.pop() ?? '') : '';
  const whole = `${last}${given}`;
  const both = last === '' ? given : `${whole}\n${given}`;
  texts.push(whole.slice(-TEXT_CHARS));
  if (texts.length > TEXTS_KEPT) texts.shift();
  const text: AgentText = {
    units: unitsOf(both).filter((unit) => !units.has(unit) && !page().units.has(unit)),
    numbers: numbersOf(both).filter((number) => !numbers.has(number) && !page().numbers.has(number)),
  };
  if (text.units.length + text.numbers.length === 0) return;
  carryText(text);
  onText(text);
}
