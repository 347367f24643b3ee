import { isObject } from '@drawbridge/protocol/manifest';
import { asFields, replaceField, short, type Upgrade, unusedName, withoutFields } from './change.ts';
import { upgradeExtractHandler, upgradeExtractSteps } from './extract-elements.ts';
import {
  upgradeDescribedTool,
  upgradeDomHandler,
  upgradePrimitiveHandler,
  upgradeRefusedHandler,
  upgradeRefusedPrimitive,
} from './handlers.ts';
import { upgradeWorkflow } from './workflow.ts';

export const upgradeTools: Upgrade = (map, path, note) => {
  const { tools } = map;
  if (!Array.isArray(tools)) return map;
  const upgraded = tools.map((tool, index) =>
    isObject(tool)
      ? TOOL_UPGRADES.reduce(
          (next, upgrade) => upgrade(next, [...path, 'tools', index], note),
          asFields(tool),
        )
      : tool,
  );
  return { ...map, tools: upgraded };
};

const upgradeSchemaName: Upgrade = (tool, path, note) => {
  const key = ['inputSchema', 'parameters'].find((name) => isObject(tool[name]));
  if (key === undefined || 'input_schema' in tool) return tool;
  note(
    [...path, key],
    'becomes input_schema',
    'version 1 calls the schema of a call’s arguments input_schema',
  );
  return replaceField(tool, key, 'input_schema', tool[key]);
};

/** Only for tools that read no input: for those, an empty schema is correct. */
const addEmptySchema: Upgrade = (tool, path, note) => {
  if ('input_schema' in tool || /\binput\b|value_from/.test(JSON.stringify(tool))) return tool;
  note(
    [...path, 'input_schema'],
    'add a schema that takes no arguments',
    'input_schema is required, and nothing in the tool reads an argument',
  );
  return { ...tool, input_schema: { type: 'object', properties: {}, additionalProperties: false } };
};

const upgradeDescription: Upgrade = (tool, path, note) => {
  const key = ['summary', 'title'].find((name) => typeof tool[name] === 'string');
  if (key === undefined || 'description' in tool) return tool;
  note([...path, key], 'becomes description', 'a description is required, and this is the one the tool has');
  return replaceField(tool, key, 'description', tool[key]);
};

const upgradeTarget: Upgrade = (tool, path, note) => {
  const { target } = tool;
  if (typeof target !== 'string') return tool;
  note([...path, 'target'], `${short(target)} becomes its selector`, 'a target is an object in version 1');
  return { ...tool, target: { selector: target } };
};

/** Drafts had an object with lists of primitives and other requirements. */
const upgradeRequires: Upgrade = (tool, path, note) => {
  const { requires } = tool;
  if (!isObject(requires)) return tool;
  const dictionary = asFields(requires['primitive_dictionary'] ?? requires);
  const names = dictionary['required_primitives'];
  const kept = unusedName(tool, 'requires');
  const list = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  note(
    [...path, 'requires'],
    list.length > 0
      ? `becomes the list of its ${list.length} required primitives; the whole stays as ${kept}`
      : `is kept as ${kept}`,
    'requires is a list of primitive capability names in version 1',
  );
  const renamed = replaceField(tool, 'requires', kept, requires);
  return list.length > 0 ? { ...renamed, requires: list } : renamed;
};

/** A workflow without steps returns the same constant, and a runtime can run it. */
const upgradeStaticOutput: Upgrade = (tool, path, note) => {
  const actions = asFields(tool['x_actions']);
  const output = actions['static_output'];
  const runs = 'workflow' in tool || 'handler' in actions || 'execution' in actions;
  if (output === undefined || runs || JSON.stringify(output).includes('{%')) return tool;
  note(
    [...path, 'x_actions', 'static_output'],
    'becomes the output of a workflow without steps',
    'a static output alone runs nothing in version 1; such a workflow gives the same answer',
  );
  const rest = withoutFields(actions, ['static_output']);
  const { x_actions, ...others } = tool;
  return {
    ...others,
    workflow: { version: 1, expression_language: 'jsonata', steps: [], output },
    ...(Object.keys(rest).length > 0 ? { x_actions: rest } : {}),
  };
};

const upgradeResultSchema: Upgrade = (tool, path, note) => {
  const { result_schema } = tool;
  const actions = asFields(tool['x_actions']);
  if (!isObject(result_schema) || 'result_schema' in actions) return tool;
  note([...path, 'result_schema'], 'moves into x_actions', 'version 1 has the schema of the answer there');
  return { ...withoutFields(tool, ['result_schema']), x_actions: { ...actions, result_schema } };
};

const EFFECTS: readonly unknown[] = ['read', 'act', 'irreversible'];

/** A word of the other project for the effect. The effect class then follows from the steps. */
const upgradeEffect: Upgrade = (tool, path, note) => {
  const actions = asFields(tool['x_actions']);
  const { effect } = actions;
  if (typeof effect !== 'string' || EFFECTS.includes(effect)) return tool;
  const kept = unusedName(actions, 'effect');
  note(
    [...path, 'x_actions', 'effect'],
    `is kept as ${kept}`,
    `${short(effect)} is no effect class here; without one it follows from what the steps touch`,
  );
  return { ...tool, x_actions: replaceField(actions, 'effect', kept, effect) };
};

const TOOL_UPGRADES: readonly Upgrade[] = [
  upgradeSchemaName,
  upgradeDescription,
  upgradeTarget,
  upgradeRequires,
  upgradeEffect,
  upgradeDomHandler,
  upgradeStaticOutput,
  upgradeExtractHandler,
  upgradeExtractSteps,
  upgradePrimitiveHandler,
  upgradeRefusedHandler,
  upgradeDescribedTool,
  upgradeRefusedPrimitive,
  upgradeResultSchema,
  upgradeWorkflow,
  addEmptySchema,
];
