import { type Action, BridgeError, parseAction } from '@drawbridge/protocol';
import { elementOf, withElement } from './action-call.ts';
import type { StepRecord, TaskTrace } from './task-event.ts';
import type { Acted, Perceived, TaskPage } from './task-page.ts';

export interface ReplayOptions {
  readonly signal?: AbortSignal;
  /** Supplies the secret for a field whose value was not recorded. */
  readonly secret?: (step: StepRecord) => string | undefined;
  readonly onStep?: (index: number, acted: Acted) => void;
}

export interface ReplayReport {
  readonly ok: boolean;
  /** The number of repeated acts. */
  readonly done: number;
  /** The reason for an early stop. */
  readonly problem?: { readonly index: number; readonly action: string; readonly message: string };
}

/**
 * Repeats the acts of a trace on a live page without a model: finds elements by role and name, or by
 * selector. Stops at the first act that fails or ends at another address. Skips acts that failed in the
 * trace.
 */
export async function replayTrace(
  trace: TaskTrace,
  body: TaskPage,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const { signal = new AbortController().signal, onStep } = options;
  let done = 0;
  for (const step of trace.steps.filter(({ status }) => status === 'ok')) {
    const { index, action } = step;
    const acted = await repeat(step, body, signal, options);
    onStep?.(index, acted);
    const message = problemOf(step, acted);
    if (message !== undefined) return { ok: false, done, problem: { index, action, message } };
    done++;
  }
  return { ok: true, done };
}

async function repeat(
  step: StepRecord,
  body: TaskPage,
  signal: AbortSignal,
  { secret }: ReplayOptions,
): Promise<Acted> {
  const seen = await body.perceive({}, signal);
  try {
    const action = located(withSecret(parseAction(step.action), step, secret), step, seen);
    const selectorPath = step.subject?.selectorPath;
    return await body.act(
      { action, seen, ...(selectorPath !== undefined && { details: { name: action.name, selectorPath } }) },
      signal,
    );
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return { ok: false, error: { code: error.code, message: error.message } };
  }
}

/** An id of no element: the selector decides. */
const NOBODY = 'replayed';

function located(action: Action, { subject }: StepRecord, { interactiveTree }: Perceived): Action {
  if (subject === undefined || elementOf(action) === undefined) return action;
  const alike = interactiveTree.filter(({ r, n }) => r === subject.role && n === subject.name);
  const [only] = alike.length === 1 ? alike : [];
  return withElement(action, only?.i ?? NOBODY);
}

function withSecret(action: Action, step: StepRecord, secret: ReplayOptions['secret']): Action {
  if (step.subject?.secret !== true) return action;
  const value = secret?.(step);
  if (value === undefined) {
    const message = `“${step.subject.name}” takes a secret, which the trace does not hold: bring it.`;
    throw new BridgeError('invalid_input', message);
  }
  return { ...action, args: [action.args[0] ?? '', value] };
}

function problemOf({ before, after }: StepRecord, acted: Acted): string | undefined {
  if (!acted.ok) return acted.error.message;
  if (!acted.effect.passed) return acted.effect.message;
  if (after === undefined || after.url === before.url) return undefined;
  return pathOf(acted.after.url) === pathOf(after.url)
    ? undefined
    : `It led to ${acted.after.url}, and to ${after.url} when it was recorded.`;
}

/** Order numbers and tokens differ between runs. */
const pathOf = (url: string): string =>
  (URL.canParse(url) ? new URL(url).pathname : url).replaceAll(/\d+/g, '0');
