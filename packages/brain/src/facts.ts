import type { MemoryResult, ToolAction } from '@drawbridge/protocol';
import { readJson } from '@drawbridge/protocol/manifest';
import type { Decision } from './decision.ts';

/** Facts that a task keeps across pages, by key. Plain JSON. */
export type Facts = Readonly<Record<string, unknown>>;

export interface FactStore {
  readonly task: Facts;
  /** Outlives the task, within its session. */
  readonly session: Facts;
}

/** INT-320: done on the server, without the page. */
export const MEMORY_ACTIONS = ['remember', 'recall', 'exportToSession'] as const;
export type MemoryAction = (typeof MEMORY_ACTIONS)[number];

/** A client that lists it shows each of these actions, and asks for the next turn. */
export const MEMORY_FEATURE = 'memory';

export const isMemoryAction = (name: string): name is MemoryAction =>
  MEMORY_ACTIONS.some((each) => each === name);

const MOST_FACTS = 50;
const LONGEST_KEY = 100;
const LONGEST_FACT = 2_000;

export interface Remembered {
  readonly facts: FactStore;
  readonly action: string;
  readonly toolAction: ToolAction & { readonly memoryResult: MemoryResult };
}

/** Does a memory action. A failed one changes nothing and says why. */
export function applyMemoryAction(
  name: MemoryAction,
  { text, json }: Decision,
  facts: FactStore,
): Remembered {
  const key = text.trim();
  const value = name === 'remember' ? factIn(json) : (found(facts.task, key) ?? found(facts.session, key));
  const parameters = { key, ...(name === 'remember' && { value }) };
  const problem = problemOf(name, key, value, facts);
  const isInSession =
    name === 'exportToSession' || (name === 'recall' && found(facts.task, key) === undefined);
  const memoryResult: MemoryResult = {
    success: problem === undefined,
    action: name === 'exportToSession' ? 'export' : name,
    key,
    scope: isInSession ? 'session' : 'task',
    ...(problem === undefined && { value }),
    message: problem ?? DONE[name](key),
    ...(problem !== undefined && { error: problem }),
  };
  const args = name === 'remember' && value !== undefined ? [key, value] : [key];
  const action = `${name}(${args.map((each) => JSON.stringify(each)).join(', ')})`;
  return {
    facts: problem === undefined ? changed(name, key, value, facts) : facts,
    action,
    toolAction: { toolName: name, toolType: 'SERVER', parameters, memoryResult },
  };
}

const DONE: Readonly<Record<MemoryAction, (key: string) => string>> = {
  remember: (key) => `Kept ${key} for this task.`,
  recall: (key) => `Found ${key}.`,
  exportToSession: (key) => `Kept ${key} for this session.`,
};

function changed(name: MemoryAction, key: string, value: unknown, { task, session }: FactStore): FactStore {
  if (name === 'remember') return { task: { ...task, [key]: value }, session };
  return name === 'recall' ? { task, session } : { task, session: { ...session, [key]: value } };
}

function problemOf(name: MemoryAction, key: string, value: unknown, facts: FactStore): string | undefined {
  if (key === '' || key.length > LONGEST_KEY || key === '__proto__')
    return `${name} needs a name of 1 to ${LONGEST_KEY} characters in "text".`;
  if (value === undefined)
    return name === 'remember' ? 'remember needs the value in "json".' : `Nothing is kept as ${key}.`;
  if (JSON.stringify(value).length > LONGEST_FACT)
    return `A fact has at most ${LONGEST_FACT} characters of JSON.`;
  if (name === 'recall') return undefined;
  const full = name === 'remember' ? facts.task : facts.session;
  return Object.keys(full).length >= MOST_FACTS && found(full, key) === undefined
    ? `At most ${MOST_FACTS} facts are kept.`
    : undefined;
}

const found = (facts: Facts, key: string): unknown => (Object.hasOwn(facts, key) ? facts[key] : undefined);

/** JSON, or plain text of a model that wrote none. */
function factIn(json: string): unknown {
  if (json === '') return undefined;
  const read = readJson(json, LONGEST_FACT * 2);
  return read.ok ? read.value : json;
}
