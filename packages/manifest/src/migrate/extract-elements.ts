import { isObject } from '@drawbridge/protocol/manifest';
import { asFields, type Fields, type Upgrade, unusedName, withoutFields } from './change.ts';

/** Reads items in that project; their list is `output.items`. */
const NAME = 'browser.extract_elements';
const SCOPE = ['selector', 'selectors', 'text_contains', 'root_strategy'];
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
      output: `{% {'items': $append([], ${chosen('steps.call.output.records.items', args.fields)})} %}`,
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
    return read === undefined || hasChoice(read.fields) ? [] : [{ index, id: String(id), read }];
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

interface ReadField {
  readonly name: string;
  /** Possible values with their keys; the first that exists counts. */
  readonly values: readonly (readonly [key: string, field: Fields])[];
}

interface Extraction {
  readonly args: Fields;
  readonly fields: readonly ReadField[];
  /** A condition that page.extract does not have. */
  readonly text: unknown;
}

const unread = ({ text }: Extraction): string => (text === undefined ? '' : ', without scope.text_contains');

/** Undefined for root strategies, which have no equal. */
function extractionOf(args: Fields): Extraction | undefined {
  const { scope = {}, item_selector, fields, ...more } = args;
  if (!isObject(scope) || typeof item_selector !== 'string' || !Array.isArray(fields)) return undefined;
  const { selector, selectors, text_contains: text, root_strategy = 'scope' } = scope;
  const isPlain = root_strategy === 'scope' && Object.keys(scope).every((key) => SCOPE.includes(key));
  if (!isPlain || Object.keys(more).length > 0) return undefined;
  const read = fields.map(fieldOf);
  if (!read.every((field) => field !== undefined)) return undefined;
  const roots = [selectors ?? selector ?? []].flat();
  if (!roots.every((root) => typeof root === 'string')) return undefined;
  const items = roots.length > 0 ? `:is(${roots.join(', ')}) :is(${item_selector})` : item_selector;
  const named = Object.fromEntries(read.flatMap(({ values }) => values));
  return {
    args: { entries: [{ id: 'items', selector: items, many: true, fields: named }] },
    fields: read,
    text,
  };
}

/** `text` is no attribute there, but the element's text. */
function fieldOf(field: unknown): ReadField | undefined {
  const { name, selector = ':scope', attribute, attributes, ...more } = asFields(field);
  if (typeof name !== 'string' || name.includes('`') || typeof selector !== 'string') return undefined;
  const list: readonly unknown[] = [attributes ?? attribute ?? 'text'].flat();
  if (!list.every((one) => typeof one === 'string') || list.length === 0) return undefined;
  if (Object.keys(more).length > 0) return undefined;
  const values = list.map((one, index) => {
    const value = one === 'text' ? { property: 'textContent', trim: true } : { attribute: one };
    const read = { ...(selector !== ':scope' && { selector }), ...value, default: null };
    return [index === 0 ? name : `${name}|${one}`, read] as const;
  });
  return { name, values };
}

const hasChoice = (fields: readonly ReadField[]): boolean => fields.some(({ values }) => values.length > 1);

/** The items, each field with the first of its values that is there. */
function chosen(items: string, fields: readonly ReadField[]): string {
  if (!hasChoice(fields)) return items;
  const pairs = fields.map(({ name, values }) => {
    const keys = values.map(([key]) => `$item.\`${key}\``);
    const first = keys.reduceRight((later, key) => `(${key} ? ${key} : ${later})`);
    return `${JSON.stringify(name)}: ${first}`;
  });
  return `$map(${items}, function($item) { {${pairs.join(', ')}} })`;
}
