import { isObject } from '@drawbridge/protocol/manifest';
import { asFields, type Fields, type Upgrade, unusedName, withoutFields } from './change.ts';

/** Reads items in that project; their list is `output.items`. */
const NAME = 'browser.extract_elements';
const SCOPE = ['selector', 'text_contains', 'root_strategy'];
const WHY = 'page.extract reads the same items';

/** MAN-241: a handler of that name becomes a workflow that answers the same list. */
export const upgradeExtractHandler: Upgrade = (tool, path, note) => {
  const actions = asFields(tool['x_actions']);
  if (actions['handler'] !== NAME || 'workflow' in tool || 'execution' in actions) return tool;
  const binding = asFields(actions['binding']);
  const args = extractionOf(asFields(binding['arguments']));
  if (args === undefined) return tool;
  note(
    [...path, 'x_actions', 'handler'],
    `becomes a workflow with one step, page.extract${unread(args)}`,
    WHY,
  );
  const rest = withoutFields(actions, ['handler', 'binding']);
  const { x_actions, ...others } = tool;
  return {
    ...others,
    [unusedName(tool, 'binding')]: binding,
    workflow: {
      version: 1,
      expression_language: 'jsonata',
      steps: [{ id: 'call', primitive: 'page.extract', args: args.args }],
      output: "{% {'items': $append([], steps.call.output.records.items)} %}",
    },
    ...(Object.keys(rest).length > 0 && { x_actions: rest }),
  };
};

/** MAN-241: steps of that name are replaced if the workflow reads nothing but their items. */
export const upgradeExtractSteps: Upgrade = (tool, path, note) => {
  const workflow = asFields(tool['workflow']);
  const { steps } = workflow;
  if (!Array.isArray(steps)) return tool;
  const found = steps.flatMap((step: unknown, index) => {
    const { primitive, id, args } = asFields(step);
    const read = primitive === NAME && typeof id === 'string' ? extractionOf(asFields(args)) : undefined;
    return read === undefined ? [] : [{ index, id: String(id), read }];
  });
  let text = JSON.stringify(workflow);
  const replaced = new Map<number, Fields>();
  for (const { index, id, read } of found) {
    const output = `steps.${id}.output`;
    if (text.replaceAll(`${output}.items`, '').includes(output)) continue;
    text = text.replaceAll(`${output}.items`, `${output}.records.items`);
    replaced.set(index, read.args);
    note([...path, 'workflow', 'steps', index], `calls page.extract${unread(read)}`, WHY);
  }
  if (replaced.size === 0) return tool;
  const next = asFields(JSON.parse(text));
  const list = Array.isArray(next['steps']) ? next['steps'] : [];
  const done = list.map((step: unknown, index) => {
    const args = replaced.get(index);
    return args === undefined ? step : { ...asFields(step), primitive: 'page.extract', args };
  });
  return { ...tool, workflow: { ...next, steps: done } };
};

interface Extraction {
  readonly args: Fields;
  /** A condition that page.extract does not have. */
  readonly text: unknown;
}

const unread = ({ text }: Extraction): string => (text === undefined ? '' : ', without scope.text_contains');

/** Undefined for root strategies and lists of attributes, which have no equal. */
function extractionOf(args: Fields): Extraction | undefined {
  const { scope = {}, item_selector, fields, ...more } = args;
  if (!isObject(scope) || typeof item_selector !== 'string' || !Array.isArray(fields)) return undefined;
  const { selector: root, text_contains: text, root_strategy = 'scope' } = scope;
  const isPlain = root_strategy === 'scope' && Object.keys(scope).every((key) => SCOPE.includes(key));
  if (!isPlain || Object.keys(more).length > 0) return undefined;
  const read = fields.map(fieldOf);
  if (!read.every((field) => field !== undefined)) return undefined;
  const selector = typeof root === 'string' ? `:is(${root}) :is(${item_selector})` : item_selector;
  return {
    args: { entries: [{ id: 'items', selector, many: true, fields: Object.fromEntries(read) }] },
    text,
  };
}

/** `text` is no attribute there, but the element's text. */
function fieldOf(field: unknown): readonly [string, Fields] | undefined {
  const { name, selector = ':scope', attribute, ...more } = asFields(field);
  if (typeof name !== 'string' || typeof selector !== 'string' || typeof attribute !== 'string')
    return undefined;
  if (Object.keys(more).length > 0) return undefined;
  const value = attribute === 'text' ? { property: 'textContent', trim: true } : { attribute };
  return [name, { ...(selector !== ':scope' && { selector }), ...value, default: null }];
}
