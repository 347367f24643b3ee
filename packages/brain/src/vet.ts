import type { InteractRequest, MapTool } from '@drawbridge/protocol';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import { misfitOf } from '@drawbridge/protocol/primitives';
import { actionText, CHAINED_ACTIONS, type ClientStep, toolsFor } from './actions.ts';
import type { Decision } from './decision.ts';
import { mustAsk } from './irreversible.ts';
import { type Memory, tryKey } from './memory.ts';
import { idsOf, type PageView } from './page-view.ts';

/** Reason for rejecting a decision, addressed to the model. */
export interface Refusal {
  readonly refused: string;
}

export interface Vetted {
  readonly step: ClientStep;
  /** Name of the element. */
  readonly subject?: string;
}

/** Repetitions allowed without visible effect: the page may be counting. */
const MOST_UNCLEAR_TRIES = 10;
const LONGEST_SUBJECT = 100;
const LONGEST_JSON = 200_000;

/** Converts a decision into a client's action, or a refusal. `finish` and `fail` are handled elsewhere. */
export function vetStep(
  decision: Decision,
  request: InteractRequest,
  view: PageView,
  memory: Memory,
): Vetted | Refusal {
  const vetted = stepOf(decision, request, view);
  if ('refused' in vetted) return vetted;
  return blindRepeat(actionText(vetted.step), view, memory) ?? vetted;
}

const MOST_LINKS = 20;

/** INT-321: the actions after the first. Each must be valid on the page as it is before the chain. */
export function vetChain(
  decision: Decision,
  request: InteractRequest,
  view: PageView,
  memory: Memory,
): { readonly links: readonly Vetted[] } | Refusal {
  const { more } = decision;
  if (more.length === 0) return { links: [] };
  if (more.length > MOST_LINKS) return refusal(`"more" takes at most ${MOST_LINKS} actions.`);
  const names = [decision.action, ...more.map(({ action }) => action)];
  const other = names.find((name) => !CHAINED_ACTIONS.includes(name));
  if (other !== undefined) return refusal(`${other} can not stand in a row: do it alone, with "more" empty.`);
  const elements = [decision.element, ...more.map(({ element }) => element)];
  if (new Set(elements).size < elements.length) return refusal('Each action in a row needs its own element.');
  const links: Vetted[] = [];
  for (const link of more) {
    const vetted = vetStep({ ...decision, ...link }, request, view, memory);
    if ('refused' in vetted) return vetted;
    if (mustAsk(vetted.step, vetted.subject, request))
      return refusal(`"${vetted.subject}" needs the person's word: do it alone, with "more" empty.`);
    links.push(vetted);
  }
  return { links };
}

function stepOf(decision: Decision, request: InteractRequest, view: PageView): Vetted | Refusal {
  const { action: name, element, text } = decision;
  switch (name) {
    case 'click':
    case 'check':
    case 'uncheck':
    case 'hover':
      return onElement(name, element, view, []);
    case 'setValue':
    case 'select':
      return onElement(name, element, view, [text], { value: text });
    case 'scroll':
      return element === '' ? scrollOfPage(text, request) : onElement(name, element, view, []);
    case 'navigate': {
      const url = addressOf(text, view);
      if (url === undefined)
        return refusal(`navigate needs a whole http or https address in "text", not "${text}".`);
      return { step: { action: { name, args: [url] }, args: { url } } };
    }
    case 'press':
      if (text === '') return refusal('press needs the name of a key in "text", such as Enter.');
      if (element !== '') return onElement(name, element, view, [text], { key: text });
      return { step: { action: { name, args: [text] }, args: { key: text } } };
    case 'wait':
      return { step: { action: { name, args: text === '' ? [] : [text] } } };
    case 'back':
      return { step: { action: { name, args: [] } } };
    case 'call':
      return toolCall(decision, toolsFor(request));
    default:
      return refusal(`${name} is nothing to do in the page.`);
  }
}

const DIRECTIONS = ['up', 'down', 'left', 'right', 'top', 'bottom'];

/** Bare for clients without features: the contract has no word for a direction. */
function scrollOfPage(text: string, { features = [] }: InteractRequest): Vetted {
  const direction = DIRECTIONS.find((word) => features.length > 0 && word === text.trim().toLowerCase());
  return { step: { action: { name: 'scroll', args: direction === undefined ? [] : [direction] } } };
}

/** INT-119, INT-123: rejects unknown ids and elements that cannot be pressed. */
function onElement(
  name: string,
  id: string,
  view: PageView,
  rest: readonly string[],
  args?: Readonly<Record<string, unknown>>,
): Vetted | Refusal {
  if (!idsOf(view).has(id))
    return refusal(`There is no element "${id}" on this page. Use an id that stands in the page part.`);
  const node = view.nodes.find(({ i }) => i === id);
  if (name !== 'scroll' && node?.occ === true)
    return refusal(`Element ${id} is covered by something. Deal with what covers it first.`);
  if (node?.s?.split(',').some((state) => state.trim() === 'disabled'))
    return refusal(`Element ${id} is disabled. Find out what it waits for.`);
  const step = { action: { name, args: [id, ...rest] }, elementId: id, ...(args !== undefined && { args }) };
  return { step, ...(node?.n && { subject: node.n.slice(0, LONGEST_SUBJECT) }) };
}

function toolCall({ text: name, json }: Decision, tools: readonly MapTool[]): Vetted | Refusal {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return refusal(`There is no tool "${name}" here. Use one that stands in the tools part.`);
  const args = json === '' ? { value: {} } : jsonOf(json);
  if (args === undefined || !isObject(args.value))
    return refusal(`call needs the arguments of ${name} as a JSON object.`);
  const misfit = misfitIn(tool.inputSchema, args.value);
  if (misfit !== undefined) return refusal(`The arguments of ${name} do not fit: ${misfit}`);
  return { step: { action: { name: 'call', args: [name, args.value] }, args: args.value }, subject: name };
}

/** INT-91 */
function blindRepeat(action: string, view: PageView, { last, tried }: Memory): Refusal | undefined {
  const key = tryKey(action, view);
  const same = tried.filter((one) => one.key === key);
  const justFailed = last?.action === action && tried.at(-1)?.outcome === 'failed';
  if (justFailed || same.some(({ outcome }) => outcome === 'failed'))
    return refusal(`${action} was tried here already and failed. Do something else.`);
  if (same.filter(({ outcome }) => outcome === 'unclear').length >= MOST_UNCLEAR_TRIES)
    return refusal(`${action} was done often, and what can be acted on is as it was. Do something else.`);
  return undefined;
}

/** Validates the result against the requested schema. */
export function vetResult(
  { json, text }: Decision,
  schema: Readonly<Record<string, unknown>> | undefined,
): { readonly result: unknown } | Refusal {
  const parsed = json === '' ? undefined : jsonOf(json);
  if (schema === undefined) return { result: parsed === undefined ? json || text : parsed.value };
  if (parsed === undefined)
    return refusal('finish needs the result in "json", as JSON of the schema that is wanted.');
  const misfit = misfitIn(schema, parsed.value);
  return misfit === undefined
    ? { result: parsed.value }
    : refusal(`The result does not fit its schema: ${misfit}`);
}

function misfitIn(schema: Readonly<Record<string, unknown>> | undefined, value: unknown): string | undefined {
  if (schema === undefined) return undefined;
  const misfit = misfitOf(schema, value);
  return misfit && `${misfit.path || 'the value'} must be ${misfit.expected}; it is ${misfit.came}.`;
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  const result = readJson(text, LONGEST_JSON);
  return result.ok ? { value: result.value } : undefined;
}

function addressOf(text: string, view: PageView): string | undefined {
  const address = text.trim();
  if (/^https?:\/\/[^\s/?#]+\S*$/i.test(address)) return address;
  return /^\/(?!\/)\S*$/.test(address) && view.origin.startsWith('http') ? view.origin + address : undefined;
}

const refusal = (refused: string): Refusal => ({ refused });
