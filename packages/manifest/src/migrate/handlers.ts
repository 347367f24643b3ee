import { isObject, Tool } from '@drawbridge/protocol/manifest';
import { type KnownPrimitive, OTHER_NAMES, primitiveByName } from '@drawbridge/protocol/primitives';
import {
  asFields,
  type Fields,
  replaceField,
  short,
  type Upgrade,
  unusedName,
  withoutFields,
} from './change.ts';

/**
 * Maps in use name a primitive as the handler, with its arguments in `binding`. A runtime has no handler of that name,
 * so the call becomes a workflow of one step.
 */
export const upgradePrimitiveHandler: Upgrade = (tool, path, note) => {
  const actions = asFields(tool['x_actions']);
  const primitive = primitiveByName(String(actions['handler']));
  if (primitive === undefined || 'workflow' in tool || 'execution' in actions) return tool;
  const { given, dropped } = argumentsOf(primitive, tool, actions);
  const required: readonly string[] = primitive.input_schema.required ?? [];
  if (!required.every((key) => key in given)) return tool;
  const kept = unusedName(tool, 'binding');
  note(
    [...path, 'x_actions', 'handler'],
    `becomes a workflow with one step, ${primitive.name}${dropped.length > 0 ? `, without ${dropped.join(', ')}` : ''}`,
    'a handler is page code that a runtime has registered; a primitive is called by a step',
  );
  const rest = withoutFields(actions, ['handler', 'binding']);
  const { x_actions, ...others } = tool;
  return {
    ...others,
    ...(isObject(actions['binding']) && { [kept]: actions['binding'] }),
    workflow: {
      version: 1,
      expression_language: 'jsonata',
      steps: [{ id: 'call', primitive: primitive.name, args: given }],
      output: '{% steps.call.output %}',
    },
    ...(Object.keys(rest).length > 0 && { x_actions: rest }),
  };
};

/** Bound arguments first, then those of the call that the primitive takes under the same name. */
function argumentsOf(primitive: KnownPrimitive, tool: Fields, actions: Fields) {
  const known = Object.keys(primitive.input_schema.properties);
  const bound = asFields(asFields(actions['binding'])['arguments']);
  const called = Object.keys(asFields(asFields(tool['input_schema'])['properties']));
  const given = Object.fromEntries([
    ...called.map((key) => [key, `{% input.${key} %}`] as const),
    ...Object.entries(bound),
  ]);
  const dropped = Object.keys(given).filter((key) => !known.includes(key));
  return { given: withoutFields(given, dropped), dropped };
}

/** Descriptions of steps for people, under the names that maps in use have for them. */
const DESCRIBED = ['navigation', 'steps'];

/** A tool that only describes what to do is documentary: valid, and refused with the reason when it is called. */
export const upgradeDescribedTool: Upgrade = (tool, path, note) => {
  const actions = asFields(tool['x_actions']);
  const runs = ['handler', 'execution', 'static_output'].some((key) => key in actions) || 'workflow' in tool;
  if (runs || actions['direction'] === 'html_to_agent') return tool;
  const key = DESCRIBED.find((name) => Array.isArray(actions[name]));
  const machine = asFields(actions['state_machine'])['transitions'];
  const described = key === undefined ? machine : actions[key];
  if (!Array.isArray(described) || described.length === 0) return describeByText(tool, path, note);
  const place = key ?? 'state_machine';
  note(
    [...path, 'x_actions', place],
    `is kept, and becomes ${described.length} documentary steps`,
    'a tool says how it runs; steps that only describe it are documentary, and a call is refused with that reason',
  );
  const steps = described.map(documentaryStep);
  return { ...tool, x_actions: { ...actions, execution: { mode: 'documentary', steps } } };
};

/** A recipe for agents: nothing but a description. A field that a tool does not have may be a misspelt workflow. */
const describeByText: Upgrade = (tool, path, note) => {
  const { description, x_actions: actions } = tool;
  const isWhole = Object.keys(tool).every((key) => key in Tool.properties || key.startsWith('x_'));
  if (!isObject(actions) || typeof description !== 'string' || !isWhole) return tool;
  note(
    [...path, 'x_actions', 'execution'],
    'add a documentary step with the description',
    'nothing says how the tool runs; a call is refused with that reason',
  );
  const steps = [{ id: 'description', type: 'describe', description: short(description) }];
  return { ...tool, x_actions: { ...actions, execution: { mode: 'documentary', steps } } };
};

/**
 * A workflow with a step that is refused here: its tool alone becomes documentary, so that the rest of the map can be
 * used. A name that nobody has stays an error, because it is probably misspelt.
 */
export const upgradeRefusedPrimitive: Upgrade = (tool, path, note) => {
  const actions = asFields(tool['x_actions']);
  const workflow = asFields(tool['workflow']);
  const steps: readonly unknown[] = Array.isArray(workflow['steps']) ? workflow['steps'] : [];
  const reasons = [...new Set(steps.flatMap(whyRefused))];
  if (reasons.length === 0 || 'handler' in actions || 'execution' in actions) return tool;
  const kept = unusedName(tool, 'workflow');
  note(
    [...path, 'workflow'],
    `is kept as ${kept}, and becomes ${steps.length} documentary steps`,
    reasons.join('; '),
  );
  const execution = { mode: 'documentary', steps: steps.map(documentaryStep) };
  return { ...replaceField(tool, 'workflow', kept, workflow), x_actions: { ...actions, execution } };
};

/** A handler with such a name could never be registered. The name is kept beside the documentary step. */
export const upgradeRefusedHandler: Upgrade = (tool, path, note) => {
  const actions = asFields(tool['x_actions']);
  const { handler } = actions;
  const advice = typeof handler === 'string' ? OTHER_NAMES.get(handler) : undefined;
  if (advice === undefined || 'workflow' in tool || 'execution' in actions) return tool;
  const kept = unusedName(actions, 'handler');
  note(
    [...path, 'x_actions', 'handler'],
    `is kept as ${kept}, and becomes a documentary step`,
    `${handler} is refused here: ${advice}`,
  );
  const described = { id: 'call', primitive: handler, args: asFields(actions['binding'])['arguments'] };
  const execution = { mode: 'documentary', steps: [documentaryStep(described, 0)] };
  return { ...tool, x_actions: { ...replaceField(actions, 'handler', kept, handler), execution } };
};

const whyRefused = (step: unknown): string[] =>
  [asFields(step), asFields(asFields(step)['after_each'])].flatMap((call) => {
    const { primitive } = call;
    if (typeof primitive !== 'string') return [];
    const advice = OTHER_NAMES.get(primitive);
    if (advice !== undefined) return [`${primitive} is refused here: ${advice}`];
    const args = asFields(call['args']);
    return AT_A_POINT.includes(primitive) && 'locator' in args && !('x' in args)
      ? [`${primitive} takes x and y, there too: find the element first, with locator.element_info`]
      : [];
  });

/** Presses that ignore a locator in that project, and fail without a point. */
const AT_A_POINT = ['pointer.click', 'pointer.double_click', 'pointer.move'];

function documentaryStep(step: unknown, index: number): Fields {
  const fields = asFields(step);
  const id = fields['step'] ?? fields['id'] ?? fields['name'];
  const type = fields['method'] ?? fields['type'] ?? fields['primitive'];
  return {
    id: typeof id === 'string' && id !== '' ? id : `step_${index + 1}`,
    type: typeof type === 'string' && type !== '' ? type : 'describe',
    description: typeof step === 'string' ? step : short(step),
  };
}

/** Step types by the operations of the first draft, whose tools were `actions` with a `handler` of DOM steps. */
const OPERATIONS: Readonly<Record<string, string>> = {
  setValue: 'type',
  type: 'type',
  click: 'click',
  focus: 'focus',
  waitFor: 'wait',
};

export const upgradeDomHandler: Upgrade = (tool, path, note) => {
  const { handler, result } = tool;
  const steps = isObject(handler) && handler['type'] === 'dom' ? handler['steps'] : undefined;
  if (!Array.isArray(steps) || 'x_actions' in tool) return tool;
  const read = steps.map(domStep);
  if (!read.every((step) => step !== undefined)) return tool;
  note(
    [...path, 'handler'],
    `becomes ${read.length} steps of x_actions.execution`,
    'version 1 has typed steps with targets there',
  );
  const target = asFields(result)['selector'];
  const shown =
    typeof target === 'string' ? [{ id: 'result', type: 'read', target: { selector: target } }] : [];
  if (shown.length > 0)
    note(
      [...path, 'result'],
      'becomes a last step that reads its text',
      'the answer of a call comes from a step',
    );
  return {
    ...withoutFields(tool, ['handler', ...(shown.length > 0 ? ['result'] : [])]),
    x_actions: { execution: { mode: 'steps_first', steps: [...read, ...shown] } },
  };
};

function domStep(step: unknown, index: number): Fields | undefined {
  const { op, selector, valueFrom, value } = asFields(step);
  const type = typeof op === 'string' && Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (type === undefined || typeof selector !== 'string') return undefined;
  return {
    id: `step_${index + 1}`,
    type,
    target: { selector },
    ...(typeof valueFrom === 'string' && { value_from: valueFrom }),
    ...(value !== undefined && { value }),
  };
}
