import type { InteractRequest } from '@drawbridge/protocol';
import { readJson } from '@drawbridge/protocol/manifest';
import type { PageView } from '../page-view.ts';
import { PAGE } from './moves.ts';
import { judge, type Verdict } from './outcome.ts';
import type { Act, Done } from './rule-context.ts';
import { type LastAct, NEW_STEP, type RuleState } from './rule-state.ts';

/** One alternative is tried; after two failures the person decides. */
export const MOST_MISSES = 2;

type Judged =
  | { readonly kind: 'going'; readonly state: RuleState }
  | { readonly kind: 'refused'; readonly problem: string };

/** Writes the last action's outcome into the state. */
export function settle(state: RuleState, request: InteractRequest, page: PageView): Judged {
  const { last, ...step } = state.step;
  if (last === undefined) return { kind: 'going', state };
  const verdict = judge(last, request, page);
  if (verdict.kind === 'refused') return { kind: 'refused', problem: verdict.problem };
  if (verdict.kind === 'worked' || last.part === 'scroll')
    return { kind: 'going', state: worked(state, last, request) };
  if (verdict.kind === 'undone') return { kind: 'going', state: { ...state, step } };
  if (verdict.kind === 'covered' && step.covered !== last.on)
    return { kind: 'going', state: { ...state, step: { ...step, covered: last.on } } };
  const failed = [...step.failed, last.on];
  // Reaching the end of a list is no failure.
  if (last.part === 'look') return { kind: 'going', state: { ...state, step: { ...step, failed } } };
  const misses = verdict.kind === 'unsure' ? MOST_MISSES : step.misses + 1;
  return {
    kind: 'going',
    state: { ...state, step: { ...step, failed, misses, problem: problemOf(verdict) } },
  };
}

function problemOf(verdict: Exclude<Verdict, { kind: 'worked' }>): string {
  if (verdict.kind === 'unsure') return `${verdict.problem} It may have been done all the same.`;
  return verdict.kind === 'failed' ? verdict.problem : 'Something covers it.';
}

function worked(state: RuleState, last: LastAct, request: InteractRequest): RuleState {
  const { last: _last, covered, ...step } = state.step;
  const isField = last.part === 'write' || last.part === 'quantity';
  const output = last.isTool ? outputOf(request.lastActionResult?.actualState) : undefined;
  // A search that was repeated by hand: the first answer is about other words.
  const isReplaced = last.part === 'write' && step.did.includes('call');
  return {
    ...state,
    ...(isReplaced && { outputs: state.outputs.slice(0, -1) }),
    step: {
      ...step,
      ...(covered !== undefined && last.part !== 'uncover' && { covered }),
      did: [...step.did, last.part],
      takesIn: last.takesIn,
    },
    ...(isField && { touched: last.on }),
    ...(output !== undefined && { outputs: [...state.outputs, output] }),
  };
}

const MOST_OUTPUT_CHARACTERS = 20_000;

function outputOf(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  const read = readJson(text, MOST_OUTPUT_CHARACTERS);
  return read.ok ? read.value : text.slice(0, MOST_OUTPUT_CHARACTERS);
}

/** The state with an action in progress. */
export function begin(
  state: RuleState,
  act: Act,
  action: string,
  request: InteractRequest,
  page: PageView,
): RuleState {
  const [first, value] = act.action.args;
  const last: LastAct = {
    action,
    part: act.part,
    on: typeof first === 'string' && act.action.name !== 'navigate' ? first : PAGE,
    ...(typeof value === 'string' && { value }),
    isTool: act.action.name === 'call',
    takesIn: act.takesIn ?? 0,
    hash: page.hash,
    scrollPosition: request.scrollPosition ?? '',
  };
  return { ...state, step: { ...state.step, last } };
}

/** The state at the next step, past all intents that this one covered. */
export function advance(state: RuleState, { found }: Done): RuleState {
  return {
    ...state,
    at: state.at + 1 + (state.step.takesIn ?? 0),
    step: NEW_STEP,
    ...(found !== undefined && { found: [...state.found, found] }),
  };
}
