import type { MapTool } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { quoted, type SetIntent } from './intent.ts';
import { hasWord, hasWords, likeness, wordsOf } from './likeness.ts';
import { type Act, type RuleContext, times } from './rule-context.ts';

/** A clause as input to the site's tools. */
interface NamedValue {
  /** The whole clause, verb included. */
  readonly text: string;
  /** Object of the verb. */
  readonly thing?: string;
  readonly quantity?: number;
}

type Values = Readonly<Record<string, string | number>>;

/** Words that only point at the page. */
const POINTING = ['page', 'product', 'item', 'article', 'thing', 'one', 'here', 'now', 'please'];

/** The tool that matches the clause: every word of its name, every required argument. */
export function callFor(ruleContext: RuleContext, said: NamedValue): Act | undefined {
  const fitting = offered(ruleContext).flatMap((tool) => {
    const values = valuesFor(tool, said);
    return values !== undefined && fits(tool, said, values, ruleContext) ? [{ tool, values }] : [];
  });
  const most = Math.max(...fitting.map(({ tool }) => nameWords(tool).length));
  const best = fitting.filter(({ tool }) => nameWords(tool).length === most);
  // A tie between tools that only read takes either; a tie that changes something takes none.
  const [first] = best.length === 1 || best.every(({ tool }) => tool.effect === 'read') ? best : [];
  return first && call(first.tool, first.values);
}

/** A search tool, with the property for the words. */
export function searchCall(ruleContext: RuleContext, words: string): Act | undefined {
  for (const tool of offered(ruleContext)) {
    const strings = properties(tool).filter(([, schema]) => schema['type'] === 'string');
    const [property] =
      strings.find(([name]) => /^(?:q|query|search|terms?|words?|text|keywords?)$/i.test(name)) ?? [];
    const isAllItNeeds = required(tool).every((name) => name === property);
    if (property !== undefined && isAllItNeeds && hasWord(nameWords(tool), 'search'))
      return call(tool, { [property]: words });
  }
  return undefined;
}

/** One call for a form and its submit button, if it takes all fields and requires no other. */
export function formCall(ruleContext: RuleContext, fields: readonly SetIntent[]): Act | undefined {
  for (const tool of offered(ruleContext)) {
    const values: Record<string, string | number> = {};
    for (const { field, value } of fields) {
      const [name, schema] = bestBy(properties(tool), ([property]) => isCalled(property, field)) ?? [];
      const fitted = schema && asTyped(value, schema);
      if (name !== undefined && fitted !== undefined && isCalled(name, field) > 0) values[name] = fitted;
    }
    const isWhole =
      Object.keys(values).length === fields.length && required(tool).every((name) => name in values);
    if (isWhole && required(tool).length > 1) return { ...call(tool, values), takesIn: fields.length };
  }
  return undefined;
}

/** A property's name may be shorter or longer than its field's. */
const isCalled = (property: string, field: string): number =>
  Math.max(likeness(field, spoken(property)), likeness(spoken(property), field));

const offered = (ruleContext: RuleContext): MapTool[] =>
  ruleContext.features.has('call') && times(ruleContext, 'call') === 0
    ? ruleContext.tools.filter(({ name }) => !ruleContext.state.step.failed.includes(name))
    : [];

function call(tool: MapTool, values: Values): Act {
  const action = { name: 'call', args: [tool.name, { ...values }] };
  return { kind: 'act', action, thought: `The site offers ${quoted(tool.name)} for this.`, part: 'call' };
}

function fits(tool: MapTool, { text }: NamedValue, values: Values, ruleContext: RuleContext): boolean {
  const asked = wordsOf(text);
  const name = nameWords(tool);
  const isNamed = name.every((word) => hasWord(asked, word) || word in values);
  const isShort = !isNamed && asked.every((word) => hasWord(name, word)) && isOnly(tool, asked, ruleContext);
  if (!(isNamed || isShort)) return false;
  const known = [
    ...name,
    ...Object.values(values).flatMap((value) => wordsOf(String(value))),
    ...Object.keys(values).flatMap((property) => wordsOf(spoken(property))),
    ...wordsOf(ruleContext.page.title),
    ...wordsOf(tool.description ?? ''),
    ...POINTING,
  ];
  return hasWords(known, asked);
}

/** "Pay" is `checkout.pay` if no other tool has that word. */
const isOnly = (tool: MapTool, asked: readonly string[], { tools }: RuleContext): boolean =>
  tools.every((other) => other === tool || !hasWords(nameWords(other), asked));

/** Arguments from the clause; undefined if a required one is missing or out of bounds. */
function valuesFor(tool: MapTool, said: NamedValue): Values | undefined {
  const values: Record<string, string | number> = {};
  for (const [name, schema] of properties(tool)) {
    const value = valueNamed(name, schema, said);
    if (value !== undefined) values[name] = value;
  }
  const missing = required(tool).filter((name) => !(name in values));
  const [only] = missing;
  if (only !== undefined && missing.length === 1) {
    const given = wordedThing(said, tool);
    const schema = properties(tool).find(([name]) => name === only)?.[1];
    if (given !== undefined && schema?.['type'] === 'string' && mayBe(given, schema)) values[only] = given;
  }
  if ((said.quantity ?? 1) > 1 && !Object.values(values).includes(said.quantity ?? 1)) return undefined;
  return required(tool).every((name) => name in values) ? values : undefined;
}

function valueNamed(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  said: NamedValue,
): string | number | undefined {
  const named = new RegExp(`(?:^|\\s)${escaped(spoken(name))}\\s*[:=]?\\s+(\\S+)`, 'iu').exec(said.text)?.[1];
  if (Array.isArray(schema['enum'])) {
    const asked = wordsOf(said.text);
    return schema['enum'].find(
      (one): one is string => typeof one === 'string' && hasWords(asked, wordsOf(one)),
    );
  }
  if (schema['type'] === 'integer' || schema['type'] === 'number') {
    const number = hasWord(wordsOf(spoken(name)), 'quantity') ? said.quantity : Number(named ?? Number.NaN);
    return number === undefined ? undefined : asTyped(String(number), schema);
  }
  return named === undefined ? undefined : asTyped(named, schema);
}

/** The object without the tool's name: "card Buy milk" of `card.add` is "Buy milk". */
function wordedThing({ thing = '' }: NamedValue, tool: MapTool): string | undefined {
  const name = nameWords(tool);
  const words = thing.split(/\s+/);
  const from = words.findIndex((word) => !wordsOf(word).every((each) => hasWord(name, each)));
  return from < 0 || thing === '' ? undefined : words.slice(from).join(' ');
}

/** A property for an id takes no name: the page's elements match better. */
function mayBe(given: string, schema: Readonly<Record<string, unknown>>): boolean {
  const wantsId = 'pattern' in schema && schema['pattern'] !== '\\S';
  const saysId = /\bids?\b/i.test(String(schema['description'] ?? ''));
  return !(wantsId || saysId) || /^(?=.*[-_\d])[\w-]+$/.test(given);
}

function asTyped(value: string, schema: Readonly<Record<string, unknown>>): string | number | undefined {
  if (Array.isArray(schema['enum']))
    return schema['enum'].find(
      (one): one is string => typeof one === 'string' && one.toLowerCase() === value.toLowerCase(),
    );
  if (schema['type'] !== 'integer' && schema['type'] !== 'number')
    return schema['type'] === 'string' ? value : undefined;
  const number = Number(value);
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return Number.isFinite(number) && number >= Number(minimum) && number <= Number(maximum)
    ? number
    : undefined;
}

function properties(tool: MapTool): [string, Readonly<Record<string, unknown>>][] {
  const declared = tool.inputSchema?.['properties'];
  if (!isObject(declared)) return [];
  return Object.entries(declared).flatMap(([name, schema]) => (isObject(schema) ? [[name, schema]] : []));
}

function required(tool: MapTool): string[] {
  const names: unknown = tool.inputSchema?.['required'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

const nameWords = ({ name }: MapTool): string[] => wordsOf(spoken(name));

const spoken = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[._-]+/g, ' ');

const escaped = (text: string): string => text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&');

function bestBy<Item>(items: readonly Item[], score: (item: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || score(item) > score(best) ? item : best),
    undefined,
  );
}
