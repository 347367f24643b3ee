import type { InteractRequest, Plan } from '@drawbridge/protocol';
import type { StepInput, TaskFile } from './brain.ts';
import { ARTIFACTS } from './context-ask.ts';
import type { FactStore } from './facts.ts';
import { judge, type Verdict } from './judge.ts';
import { emptyMemory, type Memory, parseMemory, withVerdict } from './memory.ts';
import { type PageView, viewOf } from './page-view.ts';
import { withoutSecrets } from './secrets.ts';

/** Everything that one step is decided from. */
export interface StepContext {
  readonly request: InteractRequest;
  readonly view: PageView;
  /** Before this step: the starting point of a retry. */
  readonly before: Memory;
  /** After judging the last action. */
  readonly memory: Memory;
  readonly plan: Plan | undefined;
  readonly verdict: Verdict | undefined;
  /** The person's messages since the last step. */
  readonly words: readonly string[];
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly facts: FactStore;
  readonly file: TaskFile | undefined;
}

export function stepContextOf(input: StepInput): StepContext {
  const { request: raw, memory, said, schema, file } = input;
  const request = withoutSecrets(raw);
  const view = viewOf(request);
  const known = parseMemory(memory);
  const start = known ?? emptyMemory(request.query);
  const before = input.isComplete ? { ...start, asked: ARTIFACTS } : start;
  const verdict = before.last && judge(before.last, request, view);
  const parsedMemory = verdict === undefined ? before : withVerdict(before, verdict, view);
  const words = [...new Set([...before.heard, ...said, ...answerIn(request.query, before)])];
  return {
    ...{ request, view, before, memory: parsedMemory, plan: memory?.plan, verdict, words, schema, file },
    facts: { task: before.facts ?? {}, session: input.facts ?? {} },
  };
}

/** INT-138: an unmodified client sends the person's answer as the next `query`. */
function answerIn(query: string, { goal, query: last }: Memory): string[] {
  return query === goal || query === last ? [] : [query];
}
