import { isObject, Manifest, type Tool } from '@drawbridge/protocol/manifest';
import type { Path } from '../source/path.ts';
import { isCallable } from '../validate/defaults.ts';
import { nearest } from '../validate/nearest.ts';
import { textsWithin } from '../validate/part.ts';
import { checkProvenance } from '../validate/provenance.ts';
import { find, INPUT, press, toolOf, verify } from './example.ts';
import type { LintHit, LintRule } from './rule.ts';
import { stepsOf } from './workflow-view.ts';

const STEPS = [find('#delete'), press(), verify('.deleted')];

const privateProvenance: LintRule = {
  code: 'private_provenance',
  severity: 'major',
  summary: 'The provenance contains something that a public map should not.',
  why: 'Maps are shared. Account names, paths and addresses of private machines are shared with them.',
  bad: { provenance: { created_by: 'owner@shop.example', source: '/home/owner/shop-maps' } },
  good: { provenance: { created_by: 'the shop team', source: 'https://github.com/shop/maps' } },
  *find(map) {
    for (const { path, message } of checkProvenance({ map: { value: { ...map }, path: [] } }))
      yield { path, message };
  },
};

const FILE_KEYS = new Set<unknown>(['html_source', 'path']);

const undeclaredFile: LintRule = {
  code: 'missing_declared_file',
  severity: 'minor',
  summary: 'A map reads a file that it does not declare, or declares one that is not there.',
  why: 'Only files in `x_actions.files` are installed with a map. On another machine, the tool does not find the others.',
  bad: {
    tools: [toolOf([{ id: 'read', primitive: 'storage.read_file', args: { path: 'items/list.json' } }])],
  },
  good: {
    x_actions: { files: [{ id: 'list', path: 'items/list.json' }] },
    tools: [toolOf([{ id: 'read', primitive: 'storage.read_file', args: { path: 'items/list.json' } }])],
  },
  *find(map, { fileExists }) {
    const declared = declaredFiles(map);
    for (const { text, path } of readFiles(map)) {
      if (!declared.some((file) => file.text === text))
        yield { path, message: `reads \`${text}\`, which x_actions.files does not declare` };
    }
    for (const { text, path } of declared) {
      if (fileExists?.(text) === false)
        yield { path, message: `declares \`${text}\`, and there is no such file` };
    }
  },
};

function declaredFiles(map: object): { readonly text: string; readonly path: Path }[] {
  const actions: unknown = Reflect.get(map, 'x_actions');
  return [...textsWithin(isObject(actions) ? actions['files'] : [], ['x_actions', 'files'])].filter(
    ({ path }) => path.at(-1) === 'path',
  );
}

function readFiles(map: Manifest): { readonly text: string; readonly path: Path }[] {
  const steps = stepsOf(map).filter(({ step }) =>
    ['storage.read_file', 'overlay.open'].includes(step.primitive),
  );
  const inSteps = steps.flatMap(({ step, path }) => [...textsWithin(step.args, [...path, 'args'])]);
  const opened = (map.attachments ?? []).flatMap(({ affordance }, index) => [
    ...textsWithin(affordance?.opens?.arguments, ['attachments', index, 'affordance', 'opens', 'arguments']),
  ]);
  return [...inSteps, ...opened].filter(
    ({ text, path }) => FILE_KEYS.has(path.at(-1)) && !text.startsWith('{%'),
  );
}

/** Whole words only: "sender" and "payload" do not count. */
const IRREVERSIBLE =
  /\b(pay|purchase|buy|order now|checkout|delete|remove permanently|send|publish|submit payment|unsubscribe|grant|revoke)\b/i;

const unmarkedIrreversible: LintRule = {
  code: 'unmarked_irreversible_tool',
  severity: 'major',
  summary: 'A tool sounds irreversible and does not declare its effect.',
  why: 'A person is asked before a tool with the effect `irreversible` runs. Without `effect`, the tool is classified by its wording alone.',
  bad: { tools: [toolOf(STEPS, { name: 'list.delete', description: 'Delete the list.' })] },
  good: {
    tools: [
      toolOf(STEPS, {
        name: 'list.delete',
        description: 'Delete the list.',
        x_actions: { effect: 'irreversible' },
      }),
    ],
  },
  *find({ tools }) {
    for (const [index, tool] of tools.entries()) {
      const word = IRREVERSIBLE.exec(wordsOf(tool))?.[0];
      if (word !== undefined && tool.x_actions?.effect === undefined && isCallable(tool))
        yield {
          path: ['tools', index],
          message: `says "${word.toLowerCase()}"; state x_actions.effect: read, act or irreversible`,
        };
    }
  },
};

const wordsOf = ({ name, description }: Tool): string => `${name.replaceAll(/[._-]/g, ' ')} ${description}`;

const openInput: LintRule = {
  code: 'open_input_schema',
  severity: 'info',
  summary: 'An input schema allows undeclared fields.',
  why: 'A model that misspells an argument gets no error, and the tool runs without it.',
  bad: {
    tools: [toolOf(STEPS, { input_schema: { type: 'object', properties: { sku: { type: 'string' } } } })],
  },
  good: { tools: [toolOf(STEPS, { input_schema: { ...INPUT, properties: { sku: { type: 'string' } } } })] },
  *find({ tools }) {
    for (const [index, tool] of tools.entries()) {
      if (isCallable(tool) && tool.input_schema['additionalProperties'] === undefined)
        yield {
          path: ['tools', index, 'input_schema'],
          message: 'takes any further field; close it with "additionalProperties": false',
        };
    }
  },
};

const openIrreversible: LintRule = {
  code: 'open_irreversible_input',
  severity: 'major',
  summary: 'An irreversible tool allows fields that its input schema does not declare.',
  why: 'The question to the person shows the arguments. An agent that can invent argument names can add lines that look like facts.',
  bad: {
    tools: [
      toolOf(STEPS, {
        name: 'list.delete',
        description: 'Delete the list.',
        input_schema: { type: 'object', properties: { list: { type: 'string' } } },
        x_actions: { effect: 'irreversible' },
      }),
    ],
  },
  good: {
    tools: [
      toolOf(STEPS, {
        name: 'list.delete',
        description: 'Delete the list.',
        input_schema: { ...INPUT, properties: { list: { type: 'string' } } },
        x_actions: { effect: 'irreversible' },
      }),
    ],
  },
  *find({ tools }) {
    for (const [index, tool] of tools.entries()) {
      if (!isCallable(tool) || !isIrreversible(tool)) continue;
      for (const path of openObjectsIn(tool.input_schema, ['tools', index, 'input_schema']))
        yield { path, message: 'takes any further field; close it with "additionalProperties": false' };
    }
  },
};

const isIrreversible = (tool: Tool): boolean =>
  tool.x_actions?.effect === undefined
    ? IRREVERSIBLE.test(wordsOf(tool))
    : tool.x_actions.effect === 'irreversible';

/** Every object schema that allows undeclared fields, also inside fields, lists and alternatives. */
function* openObjectsIn(schema: unknown, path: Path, isInput = true): Generator<Path> {
  if (!isObject(schema)) return;
  const takesObjects =
    isInput || [schema['type']].flat().includes('object') || isObject(schema['properties']);
  const isClosed = schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
  if (takesObjects && (!isClosed || isObject(schema['patternProperties']))) yield path;
  for (const [key, inner] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {}))
    yield* openObjectsIn(inner, [...path, 'properties', key], false);
  yield* openObjectsIn(schema['items'], [...path, 'items'], false);
  for (const word of ['anyOf', 'oneOf', '$defs']) {
    const alternatives = schema[word];
    if (typeof alternatives !== 'object' || alternatives === null) continue;
    for (const [key, inner] of Object.entries(alternatives))
      yield* openObjectsIn(inner, [...path, word, Array.isArray(alternatives) ? Number(key) : key], false);
  }
}

const misspeltField: LintRule = {
  code: 'misspelt_field',
  severity: 'minor',
  summary: 'An unknown field looks like a known one.',
  why: 'Unknown fields are kept and ignored, so a misspelt one has no effect.',
  bad: { tools: [{ ...toolOf(STEPS), ...{ requries: ['pointer.click'] } }] },
  good: { tools: [toolOf(STEPS, { requires: ['pointer.click'] })] },
  find: (map) => misspeltIn(Manifest, map, []),
};

function* misspeltIn(schema: unknown, value: unknown, path: Path): Generator<LintHit> {
  if (!isObject(schema)) return;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* misspeltIn(schema['items'], item, [...path, index]);
  const properties = schema['properties'];
  if (!isObject(value) || !isObject(properties)) return;
  const absent = Object.keys(properties).filter((key) => !Object.hasOwn(value, key));
  for (const [key, inner] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) yield* misspeltIn(properties[key], inner, [...path, key]);
    else if (!key.startsWith('x_')) {
      const meant = nearest(key, absent);
      if (meant !== undefined)
        yield {
          path: [...path, key],
          part: 'key',
          message: 'is not a field that maps know',
          suggestion: `did you mean \`${meant}\`?`,
        };
    }
  }
}

export const AUTHOR_RULES: readonly LintRule[] = [
  privateProvenance,
  undeclaredFile,
  unmarkedIrreversible,
  openInput,
  openIrreversible,
  misspeltField,
];
