import { isObject } from '@drawbridge/protocol/manifest';
import { compilePattern } from '../validate/linear-pattern.ts';
import { asFields, type Fields, type Upgrade } from './change.ts';

/**
 * Drafts said where a whole map applies: `scope.url_matches`, or `url_patterns` of the map or its surface. In version 1
 * a tool is refused elsewhere by the state of its target, so the patterns become such a state.
 */
export const upgradeScope: Upgrade = (map, path, note) => {
  const { tools, states = [] } = map;
  const patterns = patternsOf(map);
  if (patterns.length === 0 || !Array.isArray(tools) || !Array.isArray(states)) return map;
  const url_matches = `^(?:${patterns.map(asExpression).join('|')})$`;
  if (url_matches.length > MAX_PATTERN_CHARS || !compilePattern(url_matches).ok) return map;
  const name = unusedState(states);
  const state = {
    name,
    description: `The page is one of those that the map is for: ${patterns.join(', ')}.`,
    diagnostics: [{ name: 'url', target: { url_matches } }],
  };
  note(
    [...path, 'states'],
    `add the state ${name}`,
    'the map is only for some pages, and version 1 says so with a state',
  );
  const upgraded = tools.map((tool: unknown, index) => {
    if (!isObject(tool) || !hasFreeTarget(tool)) return tool;
    note(
      [...path, 'tools', index, 'target', 'state'],
      `is ${name}`,
      'on another page a call gets state_mismatch, and nothing runs',
    );
    return { ...tool, target: { ...asFields(tool['target']), state: name } };
  });
  return { ...map, states: [...states, state], tools: upgraded };
};

/** A tool that requires another state keeps it. */
const hasFreeTarget = ({ target }: Fields): boolean =>
  target === undefined || (isObject(target) && target['state'] === undefined);

/** Target strings are limited to 4,096 characters. */
const MAX_PATTERN_CHARS = 4096;

/** Only a whole list of texts is taken: half of it would widen or narrow the map. */
function patternsOf(map: Fields): readonly string[] {
  const given = [
    asFields(map['scope'])['url_matches'],
    map['url_patterns'],
    asFields(map['surface'])['url_patterns'],
  ].find((value) => value !== undefined);
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const texts = list.filter((pattern) => typeof pattern === 'string' && pattern !== '');
  return texts.length === list.length ? texts.map(String) : [];
}

/** Matches the whole url; `*` stands for anything. A path or a host may stand alone. */
function asExpression(pattern: string): string {
  const text = pattern
    .split('*')
    .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
    .join('.*');
  if (pattern.startsWith('/')) return `https?://[^/]+${text}`;
  return pattern.includes('://') || pattern.startsWith('*') ? text : `https?://${text}`;
}

function unusedState(states: readonly unknown[], wanted = 'on_mapped_page'): string {
  const taken = new Set(states.map((state) => asFields(state)['name']));
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
  return name;
}

/** A tool of maps in use says by `binding.target_url_contains` where it applies: a state for each such text. */
export const upgradeBoundPages: Upgrade = (map, path, note) => {
  const { tools, states = [] } = map;
  if (!Array.isArray(tools) || !Array.isArray(states)) return map;
  const added: Fields[] = [];
  const nameByText = new Map<string, string>();
  const stateFor = (url_contains: string): string => {
    const known = nameByText.get(url_contains);
    if (known !== undefined) return known;
    const name = unusedState([...states, ...added], 'on_bound_page');
    nameByText.set(url_contains, name);
    added.push({
      name,
      description: `The address of the page contains ${url_contains}.`,
      diagnostics: [{ name: 'url', target: { url_contains } }],
    });
    note(
      [...path, 'states'],
      `add the state ${name}`,
      'tools are bound to some pages, and version 1 says so with a state',
    );
    return name;
  };
  const upgraded = tools.map((tool: unknown, index) => {
    const text = isObject(tool) ? boundText(tool) : undefined;
    if (!isObject(tool) || text === undefined || !hasFreeTarget(tool)) return tool;
    const name = stateFor(text);
    note(
      [...path, 'tools', index, 'target', 'state'],
      `is ${name}`,
      'on another page a call gets state_mismatch, and nothing runs',
    );
    return { ...tool, target: { ...asFields(tool['target']), state: name } };
  });
  return added.length === 0 ? map : { ...map, states: [...states, ...added], tools: upgraded };
};

function boundText(tool: Fields): string | undefined {
  const binding = asFields(asFields(tool['x_actions'])['binding'] ?? tool['x_binding']);
  const text = binding['target_url_contains'];
  return typeof text === 'string' && text !== '' ? text : undefined;
}
