/** Actions as the public extension parses them: names and types of arguments that it does not know end its task. */

type Argument = string | number | boolean;
type Test = (value: Argument) => boolean;

const isNumber: Test = (value) => typeof value === 'number';
const isText: Test = (value) => typeof value === 'string';
const isBoolean: Test = (value) => typeof value === 'boolean';
const isAny: Test = () => true;

/** Required arguments first; `optional` counts from the end. */
const row = (optional: number, ...tests: readonly Test[]) => ({ least: tests.length - optional, tests });
const ACTIONS: Readonly<Record<string, { readonly least: number; readonly tests: readonly Test[] }>> = {
  click: row(0, isNumber),
  setValue: row(0, isNumber, isText),
  hover: row(0, isNumber),
  check: row(0, isNumber),
  uncheck: row(0, isNumber),
  selectDropdown: row(0, isNumber, isText),
  navigate: row(1, isText, isBoolean),
  goBack: row(0),
  scroll: row(3, isBoolean, isNumber, isNumber),
  scroll_container: row(1, isAny, isText),
  wait: row(1, isNumber),
  press: row(1, isText, isAny),
  finish: row(1, isText),
  fail: row(1, isText),
  ask_user: row(0),
};

export interface ParsedAction {
  readonly name: string;
  readonly args: readonly Argument[];
}

/** Throws where the extension shows an error and ends its task. */
export function parseExtensionAction(text: string): ParsedAction {
  const [, name = '', inside = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  const known = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (known === undefined) throw new Error(`Unknown action "${text}".`);
  const args: readonly Argument[] = JSON.parse(`[${inside}]`);
  const { least, tests } = known;
  const fits =
    args.length >= least && args.length <= tests.length && args.every((each, at) => tests[at]?.(each));
  if (!fits) throw new Error(`Invalid arguments in "${text}".`);
  return { name, args };
}
