import { BridgeError } from '@drawbridge/protocol';
import type { Workflow, WorkflowStep } from '@drawbridge/protocol/manifest';
import { createFakeClock, type FakeClock } from '@drawbridge/testbed';
import type { RunPrimitive } from '../../src/host.ts';
import { continueRun, type RunResult } from '../../src/workflow/driver.ts';
import { type StartOptions, startRun } from '../../src/workflow/start.ts';
import type { WorkflowHost } from '../../src/workflow/workflow-host.ts';
import { directEvaluator } from '../expression/direct-evaluator.ts';

/** Answer to a primitive, by its arguments and the number of earlier calls. */
export type Answer = (args: Readonly<Record<string, unknown>>, nth: number) => unknown;

export interface ScriptedPage {
  readonly calls: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];
  readonly names: () => string[];
  readonly runPrimitive: RunPrimitive;
}

/** A fake page that records calls, and answers `{ok: <name>}` by default. */
export function scriptedPage(answers: Readonly<Record<string, Answer>> = {}): ScriptedPage {
  const calls: ScriptedPage['calls'] = [];
  return {
    calls,
    names: () => calls.map(({ name }) => name),
    runPrimitive: async (name, args) => {
      const nth = calls.filter((call) => call.name === name).length;
      calls.push({ name, args });
      return answers[name] === undefined ? { did: name } : answers[name](args, nth);
    },
  };
}

export const notFound = (): never => {
  throw new BridgeError('target_not_found', 'The element is not on the page.');
};

export const workflow = (steps: readonly WorkflowStep[], rest: Partial<Workflow> = {}): Workflow => ({
  version: 1,
  expression_language: 'jsonata',
  steps: [...steps],
  ...rest,
});

export interface Setting {
  readonly page?: ScriptedPage;
  readonly input?: unknown;
  readonly options?: Partial<StartOptions>;
  readonly host?: Partial<WorkflowHost>;
  readonly clock?: FakeClock;
}

export function hostOf({
  page = scriptedPage(),
  clock = createFakeClock(),
  host = {},
}: Setting): WorkflowHost {
  return { runPrimitive: page.runPrimitive, evaluator: directEvaluator, clock: clock, ...host };
}

/** Runs a workflow from its start until it ends or waits. */
export async function run(map: Workflow, setting: Setting = {}): Promise<RunResult> {
  const { input = {}, options, clock = createFakeClock() } = setting;
  return continueRun(startRun(map, input, { now: clock.now(), ...options }), hostOf({ ...setting, clock }));
}

export async function outputOf(map: Workflow, setting: Setting = {}): Promise<unknown> {
  const result = await run(map, setting);
  if (result.status === 'failed') throw result.error;
  if (result.status === 'waiting_for_page') throw new Error('The run waits for its page.');
  return result.output;
}

export async function errorOf(map: Workflow, setting: Setting = {}): Promise<BridgeError> {
  const result = await run(map, setting);
  if (result.status !== 'failed') throw new Error(`The run is ${result.status}.`);
  return result.error;
}
