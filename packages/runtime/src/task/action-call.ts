import { SITE_TOOL } from '@drawbridge/manifest';
import { type Action, type ActionArgument, BridgeError, formatAction } from '@drawbridge/protocol';
import { type InputOf, misfitOf, type PrimitiveName, primitiveByName } from '@drawbridge/protocol/primitives';
import type { Perceived } from './task-page.ts';

/** An action as a bridge call: a primitive, or a tool of the site's map. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Expected = Readonly<Record<string, unknown>> | undefined;

const primitive = <Name extends PrimitiveName>(name: Name, args: InputOf<Name>): MadeCall => ({
  name,
  arguments: { ...args },
});

const DIRECTIONS = { down: [0, 1], up: [0, -1], right: [1, 0], left: [-1, 0] } as const;
const ENDS = { top: -1, bottom: 1 } as const;
type Direction = keyof typeof DIRECTIONS;

const isDirection = (word: string): word is Direction => Object.hasOwn(DIRECTIONS, word);
const isEnd = (word: string): word is keyof typeof ENDS => Object.hasOwn(ENDS, word);

/** Nearly a full view, so that the last line becomes the first. */
const SHARE_OF_VIEW = 0.9;
const USUAL_VIEW = { width: 1280, height: 800 };
const BEYOND_ANY_PAGE = 10_000_000;
const REST_MS = 3_000;
const MOST_WAIT_MS = 30_000;
const TEXT_WAIT_MS = 10_000;

type Maker = (action: Action, seen: Perceived) => MadeCall;

/** Contract 4's actions and ours (`TASK_FEATURES`), each as one call. */
const CALLS: Readonly<Record<string, Maker>> = {
  click: (action) => primitive('element.click', { id: text(action, 0) }),
  setValue: (action, seen) =>
    isList(action, seen)
      ? selecting(action)
      : primitive('element.fill', { id: text(action, 0), text: text(action, 1) }),
  select: selecting,
  check: (action) =>
    primitive(action.args[1] === false ? 'element.uncheck' : 'element.check', { id: text(action, 0) }),
  uncheck: (action) => primitive('element.uncheck', { id: text(action, 0) }),
  hover: (action) => primitive('element.hover', { id: text(action, 0) }),
  press: (action) =>
    action.args.length > 1
      ? primitive('element.keys', { id: text(action, 0), keys: text(action, 1).split(' ') })
      : primitive('element.keys', { keys: text(action, 0).split(' ') }),
  navigate: (action) => primitive('browser.navigate', { url: text(action, 0) }),
  back: () => primitive('browser.navigate', { back: true }),
  scroll: scrolling,
  wait: waiting,
  call: (action) => ({
    name: SITE_TOOL.name,
    arguments: { mode: 'call', action: text(action, 0), arguments: action.args[1] ?? {} },
  }),
};

const LISTS: ReadonlySet<string> = new Set(['combobox', 'listbox', 'select']);
const SELECT_TAGS = /<select\b[^>]*>/g;

/** A server with only contract 4's actions also sets the value of a list, in the form it saw. */
function isList({ args: [id] }: Action, seen: Perceived): boolean {
  const { interactiveTree, semanticNodes = [], skeletonDom = '' } = seen;
  return (
    interactiveTree.some(({ i, r }) => i === id && r === 'sel') ||
    semanticNodes.some((node) => node.id === id && LISTS.has(node.role)) ||
    (skeletonDom.match(SELECT_TAGS) ?? []).some((tag) => tag.includes(` id="${String(id)}"`))
  );
}

function selecting(action: Action): MadeCall {
  return primitive('element.select', { id: text(action, 0), choice: { label: text(action, 1) } });
}

/** Fails with `invalid_input` for an unknown action or a missing argument. */
export function callFor(action: Action, seen: Perceived, expected?: Expected): MadeCall {
  const make = Object.hasOwn(CALLS, action.name) ? CALLS[action.name] : undefined;
  if (make === undefined) {
    const known = Object.keys(CALLS).join(', ');
    throw refusal(`There is no action ${action.name}. There are: ${known}, finish, fail.`, 'unknown_action');
  }
  return withExpected(make(action, seen), expected);
}

/** The id of an action's element. */
export function elementOf({ name, args }: Action): string | undefined {
  const [first] = args;
  if (typeof first !== 'string') return undefined;
  if (name === 'press') return args.length > 1 ? first : undefined;
  if (name === 'scroll') return isDirection(first) || isEnd(first) ? undefined : first;
  return ON_ELEMENTS.has(name) ? first : undefined;
}

const ON_ELEMENTS = new Set(['click', 'setValue', 'select', 'check', 'uncheck', 'hover']);

export const withElement = (action: Action, id: string): Action => ({
  ...action,
  args: [id, ...action.args.slice(1)],
});

function scrolling(action: Action, { viewport = USUAL_VIEW }: Perceived): MadeCall {
  const [first, second] = action.args;
  const word = first === undefined ? 'down' : text(action, 0);
  if (isEnd(word)) return primitive('viewport.scroll', { delta_y: ENDS[word] * BEYOND_ANY_PAGE });
  if (isDirection(word)) {
    const [across, along] = DIRECTIONS[word];
    return primitive('viewport.scroll', {
      delta_x: Math.round(across * viewport.width * SHARE_OF_VIEW),
      delta_y: Math.round(along * viewport.height * SHARE_OF_VIEW),
    });
  }
  const inside = typeof second === 'string' && isDirection(second) ? { direction: second } : {};
  return primitive('element.scroll_to', { id: word, ...inside });
}

/** `wait()`: until the page rests. `wait(2)`: two seconds. `wait("Paid")`: for a text. */
function waiting({ args: [what] }: Action): MadeCall {
  if (what === undefined) return primitive('page.wait', { for: 'stable', timeout_ms: REST_MS });
  const seconds = Number(what);
  if (Number.isNaN(seconds))
    return primitive('page.wait', { for: 'text', text: String(what), timeout_ms: TEXT_WAIT_MS });
  const ms = Math.round(Math.min(Math.max(0, seconds * 1_000), MOST_WAIT_MS));
  return primitive('page.wait', { for: 'stable', quiet_ms: Math.min(ms, 10_000), timeout_ms: ms });
}

/** Passes on the plan's expectations that the primitive supports. */
function withExpected(call: MadeCall, expected: Expected): MadeCall {
  const schema = primitiveByName(call.name)?.input_schema;
  if (expected === undefined || schema === undefined) return call;
  const args = { ...call.arguments, expected };
  return misfitOf(schema, args) === undefined ? { ...call, arguments: args } : call;
}

function text(action: Action, index: number): string {
  const value: ActionArgument | undefined = action.args[index];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw refusal(`${formatAction(action)} lacks its argument ${index + 1}.`, 'missing_argument');
}

const refusal = (message: string, reason: string): BridgeError =>
  new BridgeError('invalid_input', message, { evidence: { reason } });
