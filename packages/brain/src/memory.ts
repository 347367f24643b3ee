import type { Plan } from '@drawbridge/protocol';
import { hashTree } from '@drawbridge/protocol/semantic';
import type { Spent, TaskMemory } from './brain.ts';
import type { Artifact } from './context-ask.ts';
import type { Facts } from './facts.ts';
import type { LastAction, Verdict } from './judge.ts';
import { comparable, type PageView } from './page-view.ts';

/** The brain's memory of a task: plain JSON of bounded size. */
export interface Memory {
  /** The person's goal, in their words. */
  readonly goal: string;
  /** `query` of the last call: a different one is a new message of the person. */
  readonly query: string;
  readonly log: readonly LogEntry[];
  readonly tried: readonly Try[];
  readonly last?: LastAction;
  /** Failed actions since the last success or message of the person. */
  readonly failures: number;
  /** The person was asked for help: the next time the task fails. */
  readonly wasStuck: boolean;
  /** The last question to the person, with the action that waits for consent. */
  readonly question?: Question;
  /** Artifacts requested for the current step, and the person's messages until then. */
  readonly asked: readonly Artifact[];
  readonly heard: readonly string[];
  /** Kept by `remember`. */
  readonly facts?: Facts;
  /** Hash of the last screenshot that the model saw. */
  readonly seen?: string;
}

export interface Question {
  readonly text: string;
  /** An irreversible action, done once the person consents. */
  readonly action?: string;
}

export interface LogEntry {
  readonly action: string;
  /** Name of its element on the page. */
  readonly subject?: string;
  readonly outcome?: Verdict['outcome'];
  readonly note?: string;
  /** The person's words, if this is no action. */
  readonly said?: string;
}

/** Key of an action and a page state: a failed pair is not tried again. */
export interface Try {
  readonly key: string;
  readonly outcome?: Verdict['outcome'];
}

const MOST_ENTRIES = 40;
const MOST_TRIES = 60;
const MOST_NODES = 400;
const MAX_NOTE_CHARS = 200;
export const LONGEST_ACTION = 300;

export const emptyMemory = (goal: string): Memory => ({
  goal,
  query: goal,
  log: [],
  tried: [],
  failures: 0,
  wasStuck: false,
  asked: [],
  heard: [],
});

/** `memory.notes` of this brain; any other format starts empty. */
export function parseMemory(memory: TaskMemory | undefined): Memory | undefined {
  const parsedMemory = memory?.['notes'];
  if (
    typeof parsedMemory !== 'object' ||
    parsedMemory === null ||
    !('log' in parsedMemory && 'goal' in parsedMemory)
  )
    return undefined;
  return parsedMemory as Memory;
}

export function memoryOf(parsedMemory: Memory, spent: Spent, plan: Plan | undefined): TaskMemory {
  const bounded = {
    ...parsedMemory,
    log: parsedMemory.log.slice(-MOST_ENTRIES),
    tried: parsedMemory.tried.slice(-MOST_TRIES),
  };
  return { ...(plan !== undefined && { plan }), spent, notes: bounded };
}

/** The page before an action, small enough to store with every step. */
export function stateBefore(
  view: PageView,
  filtered: boolean,
): Pick<LastAction, 'url' | 'nodes' | 'partial'> {
  return {
    url: view.url,
    nodes: view.nodes.slice(0, MOST_NODES).map(comparable),
    partial: filtered || view.nodes.length > MOST_NODES,
  };
}

/** Writes the verdict into the log entry of the action, or of each in a chain, and counts failures. */
export function withVerdict(parsedMemory: Memory, verdict: Verdict, view: PageView): Memory {
  const chain = parsedMemory.last?.chain;
  return chain === undefined
    ? withLastVerdict(parsedMemory, verdict, view)
    : withChainVerdict(parsedMemory, chain, verdict, view);
}

/** INT-322: actions before the failed one are done, and actions after it were not tried. */
function withChainVerdict(
  memory: Memory,
  chain: readonly string[],
  verdict: Verdict,
  view: PageView,
): Memory {
  const count = chain.length;
  const failedIndex = verdict.outcome === 'failed' ? (verdict.failedIndex ?? 0) : count - 1;
  const [log, tried] = [memory.log.slice(0, -count), memory.tried.slice(0, -count)];
  const done = memory.log.slice(-count).slice(0, failedIndex + 1);
  const outcome = verdict.outcome === 'failed' ? 'passed' : verdict.outcome;
  const judged = withLastVerdict(
    {
      ...memory,
      log: [...log, ...done.map((entry) => ({ ...withoutSecret(entry, view), outcome }))],
      tried: [
        ...tried,
        ...memory.tried
          .slice(-count)
          .slice(0, failedIndex + 1)
          .map((entry) => ({ ...entry, outcome })),
      ],
    },
    verdict,
    view,
  );
  const action = chain[failedIndex];
  return memory.last === undefined || action === undefined
    ? judged
    : { ...judged, last: { ...memory.last, action } };
}

function withLastVerdict(parsedMemory: Memory, verdict: Verdict, view: PageView): Memory {
  const entry = parsedMemory.log.at(-1);
  const note = verdict.reasons.join('; ').slice(0, MAX_NOTE_CHARS);
  const failed = verdict.outcome === 'failed';
  const tried = parsedMemory.tried.at(-1);
  return {
    ...parsedMemory,
    log:
      entry === undefined
        ? []
        : [
            ...parsedMemory.log.slice(0, -1),
            { ...withoutSecret(entry, view), outcome: verdict.outcome, note },
          ],
    tried:
      tried === undefined ? [] : [...parsedMemory.tried.slice(0, -1), { ...tried, outcome: verdict.outcome }],
    failures: failed ? parsedMemory.failures + 1 : verdict.outcome === 'passed' ? 0 : parsedMemory.failures,
  };
}

/** Drops the value of a secret field once it is written. */
function withoutSecret(entry: LogEntry, { nodes }: PageView): LogEntry {
  const [, id] = /^setValue\("?([^",]+)"?, /.exec(entry.action) ?? [];
  const field = nodes.find(({ i }) => i === id);
  if (field?.v !== undefined || field?.s?.includes('filled') !== true) return entry;
  return { ...entry, action: `setValue("${id}", "•••")` };
}

export function withWords(parsedMemory: Memory, words: readonly string[]): Memory {
  if (words.length === 0) return parsedMemory;
  return {
    ...parsedMemory,
    failures: 0,
    log: [...parsedMemory.log, ...words.map((said) => ({ action: '', said }))],
  };
}

export const tryKey = (action: string, view: PageView): string =>
  hashTree([{ i: action, r: view.hash, n: '' }]);
