import { isObject } from '@drawbridge/protocol/manifest';
import { compilePattern } from '../validate/linear-pattern.ts';
import { asFields, type Fields, type MigrationNote, type Upgrade } from './change.ts';

/**
 * Drafts said where a whole map applies: `scope.url_matches`, or `url_patterns` of the map or its surface. In version 1
 * a tool is refused elsewhere by the state of its target, so the patterns become such a state.
 */
export const upgradeScope: Upgrade = (map, path, note) => {
  const { tools, states = [] } = map;
  const given = givenPatterns(map);
  if (given === undefined || !Array.isArray(tools) || !Array.isArray(states)) return map;
  const { patterns, refused } = readPatterns(given.value);
  const url_matches = `^(?:${patterns.map(asExpression).join('|')})$`;
  const why = refused ?? whyUnusable(url_matches);
  const name = unusedState(states);
  const state =
    why === undefined
      ? {
          name,
          description: `The page is one of those that the map is for: ${patterns.join(', ')}.`,
          diagnostics: [{ name: 'url', target: { url_matches } }],
        }
      : {
          name,
          description: 'Write a diagnostic for the pages that the map is for. Until then no tool runs.',
        };
  if (why === undefined)
    note(
      [...path, 'states'],
      `add the state ${name}`,
      'the map is only for some pages, and version 1 says so with a state',
    );
  else
    note(
      [...path, ...given.path],
      `is not read: add the state ${name} without diagnostics, so that no tool runs`,
      `${why}. Write the pages as diagnostics of that state`,
    );
  const added: Fields[] = [state];
  const upgraded = tools.map((tool: unknown, index) =>
    isObject(tool)
      ? requireState(tool, name, { states, added, path: [...path, 'tools', index], note })
      : tool,
  );
  return { ...map, states: [...states, ...added], tools: upgraded };
};

interface Requirement {
  readonly states: readonly unknown[];
  /** States that the migration adds. */
  readonly added: Fields[];
  readonly path: readonly (string | number)[];
  readonly note: MigrationNote;
}

/** A tool that requires another state requires one that stands for both. */
function requireState(tool: Fields, wanted: string, { states, added, path, note }: Requirement): Fields {
  const { target } = tool;
  if (target !== undefined && !isObject(target)) return tool;
  const own = asFields(target)['state'];
  if (own !== undefined && typeof own !== 'string') return tool;
  const name = own === undefined ? wanted : bothStates(own, wanted, states, added);
  note(
    [...path, 'target', 'state'],
    own === undefined ? `is ${name}` : `becomes ${name}, which requires ${own} and ${wanted}`,
    'on another page a call gets state_mismatch, and nothing runs',
  );
  return { ...tool, target: { ...asFields(target), state: name } };
}

function bothStates(own: string, wanted: string, states: readonly unknown[], added: Fields[]): string {
  const diagnostics = [own, wanted].map((state) => ({ name: state, target: { state } }));
  const text = JSON.stringify(diagnostics);
  const known = added.find((state) => JSON.stringify(state['diagnostics']) === text);
  if (typeof known?.['name'] === 'string') return known['name'];
  const name = unusedState([...states, ...added], `${own}_${wanted}`);
  added.push({ name, description: `The page is in the states ${own} and ${wanted}.`, diagnostics });
  return name;
}

/** Target strings are limited to 4,096 characters. */
const MAX_PATTERN_CHARS = 4096;

function whyUnusable(url_matches: string): string | undefined {
  if (url_matches.length > MAX_PATTERN_CHARS)
    return `the patterns are together longer than ${MAX_PATTERN_CHARS} characters`;
  const compiled = compilePattern(url_matches);
  return compiled.ok ? undefined : `the patterns do not compile: ${compiled.message.replace(/\.$/, '')}`;
}

interface Given {
  readonly value: unknown;
  readonly path: readonly string[];
}

function givenPatterns(map: Fields): Given | undefined {
  const all: readonly Given[] = [
    { path: ['scope', 'url_matches'], value: asFields(map['scope'])['url_matches'] },
    { path: ['url_patterns'], value: map['url_patterns'] },
    { path: ['surface', 'url_patterns'], value: asFields(map['surface'])['url_patterns'] },
  ];
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
  return all.find(({ value }) => value !== undefined && !isEmpty(value));
}

/** Only a whole list of texts is taken: half of it would widen or narrow the map. */
function readPatterns(value: unknown): { readonly patterns: readonly string[]; readonly refused?: string } {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const patterns = list.flatMap((pattern) =>
    typeof pattern === 'string' && pattern !== '' ? [pattern] : [],
  );
  return patterns.length === list.length
    ? { patterns }
    : { patterns: [], refused: 'not every pattern is a text' };
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
    if (!isObject(tool) || text === undefined || isBoundBy(tool, text, states)) return tool;
    return requireState(tool, stateFor(text), { states, added, path: [...path, 'tools', index], note });
  });
  return added.length === 0 ? map : { ...map, states: [...states, ...added], tools: upgraded };
};

function boundText(tool: Fields): string | undefined {
  const binding = asFields(asFields(tool['x_actions'])['binding'] ?? tool['x_binding']);
  const text = binding['target_url_contains'];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** True when the tool's state requires the bound page already: after a migration the binding stays as `x_binding`. */
function isBoundBy(tool: Fields, text: string, states: readonly unknown[]): boolean {
  const open: unknown[] = [asFields(tool['target'])['state']];
  const seen = new Set<unknown>();
  while (open.length > 0) {
    const name = open.pop();
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    const state = states.find((each) => asFields(each)['name'] === name);
    const diagnostics = asFields(state)['diagnostics'];
    for (const diagnostic of Array.isArray(diagnostics) ? diagnostics : []) {
      const target = asFields(asFields(diagnostic)['target']);
      if (target['url_contains'] === text) return true;
      open.push(target['state']);
    }
  }
  return false;
}
