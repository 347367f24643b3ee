import { isObject } from '@drawbridge/protocol/manifest';
import { type Path, toWords } from '../source/path.ts';

/** Lists whose entries have a name. */
const NOUNS: Readonly<Record<string, string>> = {
  tools: 'tool',
  steps: 'step',
  states: 'state',
  transitions: 'transition',
  signals: 'signal',
  attachments: 'attachment',
  checks: 'check',
  imports: 'import',
  context: 'context',
  state_projections: 'projection',
};

/** The subject of a finding: "tool `search.submit`, step `find`: settle_after". */
export function subjectOf(path: Path, map: unknown): string {
  const named: string[] = [];
  let here: unknown = map;
  let rest: (string | number)[] = [];
  for (const segment of path) {
    const list = rest.at(-1);
    here = childOf(here, segment);
    rest.push(segment);
    const noun = typeof list === 'string' && typeof segment === 'number' ? NOUNS[list] : undefined;
    const name = noun === undefined ? undefined : nameIn(here);
    if (name === undefined) continue;
    named.push(`${noun} \`${name}\``);
    rest = [];
  }
  if (path.length === 0) return 'The map';
  return [named.join(', '), toWords(rest)].filter((words) => words !== '').join(': ');
}

function childOf(value: unknown, segment: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  return Reflect.get(value, segment);
}

const MAX_NAME_CHARS = 60;

function nameIn(value: unknown): string | undefined {
  const name = isObject(value) ? (value['name'] ?? value['id']) : undefined;
  return typeof name === 'string' && name !== '' && name.length <= MAX_NAME_CHARS ? name : undefined;
}
