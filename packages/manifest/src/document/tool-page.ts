import { isObject, type Manifest, type Tool } from '@drawbridge/protocol/manifest';
import { isCallable, scopeOf } from '../validate/defaults.ts';
import { blocks, code, list, numbered, table, words } from './markdown.ts';
import { typeWords } from './schema-type.ts';
import { executionWords, stepWords } from './step-words.ts';
import { targetWords } from './target-words.ts';

export const effectOf = ({ x_actions }: Tool): string => x_actions?.effect ?? 'not stated';

/** Describes one tool: purpose, target, inputs, steps and postconditions. */
export function toolSection(tool: Tool, map: Manifest): string {
  const steps = stepWords(tool);
  return blocks([
    `### ${code(tool.name)}`,
    words(tool.description),
    list([
      ...(isCallable(tool) ? [] : ['**Not callable by agents**: the page sends, the agent hears.']),
      `Effect: ${effectOf(tool) === 'irreversible' ? '**irreversible**' : effectOf(tool)}`,
      `Where: ${targetWords(tool.target)}${scopeOf(tool) === 'persistent' ? '; stays on offer on other pages' : ''}`,
      ...((tool.requires ?? []).length === 0 ? [] : [`Needs: ${(tool.requires ?? []).map(code).join(', ')}`]),
      ...proofWords(tool, map),
    ]),
    inputTable(tool.input_schema),
    steps.length === 0 ? executionWords(tool) : numbered(steps),
  ]);
}

function inputTable(schema: Readonly<Record<string, unknown>>): string {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (properties.length === 0)
    return schema['additionalProperties'] === false ? 'Takes no input.' : 'Takes any input.';
  return table(
    ['input', 'type', 'required', 'meaning'],
    properties.map(([name, inner]) => [
      code(name),
      code(typeWords(inner)),
      required.includes(name) ? 'yes' : 'no',
      isObject(inner) && typeof inner['description'] === 'string' ? words(inner['description']) : '',
    ]),
  );
}

function proofWords({ name, workflow }: Tool, { state_projections = [] }: Manifest): string[] {
  const own = workflow?.postcondition;
  const projections = state_projections.filter(({ postconditions = {} }) =>
    Object.hasOwn(postconditions, name),
  );
  const named = typeof own === 'string' ? own : isObject(own) ? String(own['projection']) : undefined;
  const verify = isObject(own) && typeof own['verify'] === 'string' ? `: ${code(own['verify'])}` : '';
  return [
    ...(named === undefined ? [] : [`Proof: reads ${code(named)} afterwards${verify}`]),
    ...projections.map((projection) => `Proof: a postcondition of ${code(projection.name)}`),
  ];
}
