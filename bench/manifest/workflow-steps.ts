import {
  type Clock,
  continueRun,
  type Evaluator,
  type Plan,
  startRun,
  type WorkflowHost,
} from '@drawbridge/manifest';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import jsonata from 'jsonata';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { median, printTable } from '../measure.ts';

/** Overhead of the interpreter for a step that does nothing, beside a bare loop and a direct evaluation. */

const STEPS = 20;
const ROUNDS = 15;

const noop = async () => ({ ok: true });
const clock: Clock = { now: () => Date.now(), sleep: async () => {} };

const plan = (args: Record<string, unknown>): Plan => ({
  steps: Array.from({ length: STEPS }, (_, at) => ({ id: `s${at}`, primitive: 'page.info', args })),
  output: 'done',
});
const PLAIN = plan({ x: 1, y: 2, text: 'plain' });
const WITH_EXPRESSION = plan({ x: '{% input.x * 2 %}' });

const compiled = jsonata('input.x * 2');

/** Parses once, as the workers do, so that only the evaluation is measured. */
const inProcess: Evaluator = {
  evaluate: (_, input) => compiled.evaluate(input),
  close: async () => {},
};

async function microsecondsEach(times: number, work: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    for (let time = 0; time < times; time++) await work();
    rounds.push(((performance.now() - started) * 1000) / times);
  }
  return median(rounds);
}

async function runs(given: Plan, evaluator: Evaluator, times: number): Promise<number> {
  const host: WorkflowHost = { runPrimitive: noop, evaluator, clock };
  const each = await microsecondsEach(times, async () => {
    const { status } = await continueRun(startRun(given, { x: 21 }, { now: 0 }), host);
    if (status !== 'done') throw new Error(`The run is ${status}.`);
  });
  return each / STEPS;
}

export async function benchWorkflowSteps(): Promise<readonly Figure[]> {
  const workers = createWorkerEvaluator({ workers: 1, maxMs: 10_000 });
  const scope = { input: { x: 21 }, steps: {} };
  const bare = await microsecondsEach(20_000, noop);
  const direct = await microsecondsEach(5_000, () => compiled.evaluate(scope));
  const roundTrip = await microsecondsEach(500, () => workers.evaluate('input.x * 2', scope));
  const plain = await runs(PLAIN, inProcess, 200);
  const expression = await runs(WITH_EXPRESSION, inProcess, 100);
  const isolated = await runs(WITH_EXPRESSION, workers, 20);
  await workers.close();

  const row = (name: string, micros: number, peer: number, of: string) => [
    name,
    micros.toFixed(1),
    `${(micros / peer).toFixed(1)} × ${of}`,
  ];
  console.log(`Workflow of ${STEPS} steps, no-op primitive`);
  printTable(
    ['a step', 'µs', 'ratio'],
    [
      row('bare await of the primitive', bare, bare, 'itself'),
      row('interpreter, no expression', plain, bare, 'bare await'),
      row('jsonata evaluate, direct', direct, direct, 'itself'),
      row('interpreter, one expression, in process', expression, direct, 'direct'),
      row('jsonata evaluate, isolated', roundTrip, direct, 'direct'),
      row('interpreter, one expression, isolated', isolated, roundTrip, 'isolated'),
    ],
  );
  const a = { unit: 'µs', better: 'less', how: `a workflow of ${STEPS} steps that do nothing` } as const;
  return [
    figure({
      ...a,
      id: 'manifest.step',
      what: 'a step of a workflow',
      ours: plain,
      beside: [{ name: 'a bare await of the same', value: bare }],
      aim: { value: 100 },
    }),
    figure({
      ...a,
      id: 'manifest.step.expression',
      what: 'a step with one expression, isolated in a worker',
      ours: isolated,
      beside: [
        { name: 'jsonata in that worker alone', value: roundTrip },
        { name: 'jsonata in the same thread', value: direct },
      ],
    }),
  ];
}
