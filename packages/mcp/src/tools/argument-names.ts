import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { misfitOf } from '@drawbridge/protocol/primitives';
import { textAt, valueAt } from '../loose-value.ts';
import type { Fields, Tool } from './tool.ts';

/** Names that agents know from other tools, without case and signs, by the argument of ours that does the same. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  tab: ['tabid', 'targettab', 'targettabid', 'page', 'pageid', 'runtimeid'],
  steps: ['actions', 'action', 'step', 'do', 'id', 'ref', 'value', 'text', 'at', 'target', 'selector'],
  query: ['search', 'filter', 'find', 'text', 'q'],
  region: ['selector', 'ref', 'element', 'id', 'uid', 'within', 'root'],
  scope: ['fullpage', 'full', 'area'],
  max_tokens: ['limit', 'maxlength', 'tokens'],
  from: ['offset', 'start', 'cursor'],
  output: ['file', 'fileid', 'attachmentid', 'outputid'],
  timeout_ms: ['timeout', 'ms', 'time', 'duration', 'seconds'],
  value: ['text', 'textgone', 'url', 'urlcontains', 'pattern'],
  for: ['state', 'until', 'condition'],
  max_width: ['width', 'size'],
  marks: ['annotate', 'labels', 'boxes', 'highlight'],
  url: ['href', 'address', 'link', 'uri'],
  do: ['action', 'command', 'type', 'operation'],
  mode: ['do', 'command', 'type'],
  action: ['name', 'tool', 'actionname', 'toolname'],
  arguments: ['args', 'params', 'parameters', 'input'],
  projection_name: ['projection', 'state'],
  summary_name: ['summary'],
  show: ['do', 'what', 'kind', 'type', 'mode'],
  keys: ['key'],
  id: ['requestid', 'reqid', 'ref'],
  stop: ['stoponerror', 'stoponfailure', 'failfast'],
};

const ticked = (name: string): string => `\`${name}\``;

/** Arguments of our own tool, checked. Refuses unknown names, and reads numbers as texts where the schema has texts. */
export function argumentsOf(tool: Tool, given: Fields): Fields {
  checkNames(tool, given);
  const { input_schema } = tool;
  const args = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, asMeant(input_schema.properties[name], value)]),
  );
  const misfit = misfitOf(input_schema, args);
  if (misfit === undefined) return args;
  throw wrongArgument(misfit.path, `must be ${misfit.expected}; got ${misfit.came}`);
}

export function wrongArgument(path: string, problem: string): BridgeError {
  const where = path === '' ? 'The arguments' : ticked(path);
  return new BridgeError('invalid_input', `${where} ${problem}.`);
}

/** Models write an id as it is shown (`7`), and an amount as a number. */
function asMeant(schema: unknown, value: unknown): unknown {
  if (typeof value === 'number') return textAt(schema, 'type') === 'string' ? String(value) : value;
  if (Array.isArray(value)) return value.map((item) => asMeant(valueAt(schema, 'items'), item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, asMeant(valueAt(schema, 'properties', name), inner)]),
  );
}

/** An argument that a tool does not have is refused: ignored, it would look obeyed (BRG-203). */
function checkNames({ name: tool, input_schema }: Tool, args: Fields): void {
  const own = Object.keys(input_schema.properties);
  const unknown = Object.keys(args).filter((name) => !own.includes(name));
  if (unknown.length === 0) return;
  const renamed = unknown.flatMap((name) => {
    const known = name.toLowerCase().replaceAll(/[^a-z]/g, '');
    const ours = own.find((each) => each.replaceAll('_', '') === known || OTHER_NAMES[each]?.includes(known));
    return ours === undefined ? [] : [`Use ${ticked(ours)} for ${ticked(name)}.`];
  });
  const takes = `${tool} takes ${own.map(ticked).join(', ')}; got ${unknown.map(ticked).join(', ')}.`;
  throw new BridgeError('invalid_input', [takes, ...renamed].join(' '));
}
