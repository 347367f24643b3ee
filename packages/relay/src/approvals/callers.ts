import { RecentMap } from '@drawbridge/base';
import type { CallRequest, RuntimeView } from '@drawbridge/bridge';
import type { Asker, Question } from '@drawbridge/protocol';
import { maskShapes } from '@drawbridge/protocol/secrets';
import type { CallError, CallQuota } from '../server/quotas/call-quota.ts';
import { toolsOf } from '../server/runtimes/maps.ts';
import { createTabLabels, type StepWords, stepWords, type TabLabels, tabKey } from '../threads/step-words.ts';
import { outcomeWords } from './outcome-words.ts';

/** Facts of the relay about a pending call, beyond its question. */
export interface Callers {
  readonly watching: (calls: CallQuota) => CallQuota;
  readonly deviceOf: (call_id: string) => string | undefined;
  /** The element that a pending call acts on, by its id. */
  readonly elementOf: (call_id: string) => string | undefined;
  /** Adds who asks, the steps before, and how a map describes its tool. */
  readonly describing: (asker: Asker, known: KnownToRelay) => Asker;
  /** Reports in words how an allowed call ended. */
  readonly reporting: (asker: Asker, reporter: (question: Question) => (outcome: Outcome) => void) => Asker;
}

export interface Outcome {
  readonly words: string;
  /** Absent for a failed call. */
  readonly output?: unknown;
}

export interface KnownToRelay {
  readonly labelOf: (device_id: string) => Promise<string | undefined>;
  /** Name of the task that runs in a tab. */
  readonly taskAt: (runtime_id: string) => Promise<string | undefined>;
  /** A tool's description in the map of a tab. */
  readonly toolAt: (runtime_id: string, name: string) => string | undefined;
}

/** Above the calls that all devices may have pending; evicts the oldest if a connection loses its answers. */
const MAX_CALLS = 10_000;
const MAX_DEVICES = 500;
const MAX_STEPS = 3;

interface Call {
  readonly device_id: string;
  readonly tab: string | undefined;
  readonly words: StepWords;
  readonly element: string | undefined;
  report?: (outcome: Outcome) => void;
}

interface Caller {
  readonly labels: TabLabels;
  /** The last steps that changed something, oldest first. */
  readonly steps: string[];
}

/** `tabOf`: the tab that a call goes to, if that is known. */
export function createCallers(tabOf: (call: Partial<CallRequest>) => RuntimeView | undefined): Callers {
  const calls = new RecentMap<string, Call>(MAX_CALLS);
  const callers = new RecentMap<string, Caller>(MAX_DEVICES);

  const callerOf = (device_id: string): Caller => {
    const known = callers.get(device_id) ?? { labels: createTabLabels(), steps: [] };
    callers.set(device_id, known);
    return known;
  };

  const ended = (call_id: string, output: unknown, error: CallError | undefined): void => {
    const call = calls.get(call_id);
    if (call === undefined) return;
    calls.delete(call_id);
    const { labels, steps } = callerOf(call.device_id);
    labels.learn(call.tab, output);
    call.report?.({ words: maskShapes(outcomeWords(call.words, error)), output });
    if (error !== undefined || !call.words.isStep) return;
    steps.push(maskShapes(call.words.done));
    if (steps.length > MAX_STEPS) steps.shift();
  };

  return {
    watching: (quota) => ({
      problem(device_id, call) {
        const problem = quota.problem(device_id, call);
        if (problem !== undefined) return problem;
        const { call_id, name, arguments: args = {} } = call;
        const element = typeof args['id'] === 'string' ? args['id'] : undefined;
        const view = tabOf(call);
        const tab = view && tabKey(view);
        const words = stepWords(name, args, callerOf(device_id).labels.of(tab), toolsOf(view));
        calls.set(call_id, { device_id, tab, words, element });
        return undefined;
      },
      ready: quota.ready,
      answered(device_id, call_id, output, error) {
        ended(call_id, output, error);
        quota.answered(device_id, call_id, output, error);
      },
    }),
    deviceOf: (call_id) => calls.get(call_id)?.device_id,
    elementOf: (call_id) => calls.get(call_id)?.element,
    describing: (asker, { labelOf, taskAt, toolAt }) => ({
      async ask({ asked_by: _, steps: __, tool: ___, ...question }, withdrawn) {
        const { call_id, runtime_id, name } = question;
        const device_id = calls.get(call_id)?.device_id;
        const asked_by = await (device_id === undefined ? taskAt(runtime_id) : labelOf(device_id));
        const steps = device_id === undefined ? [] : [...callerOf(device_id).steps];
        const tool = toolAt(runtime_id, name);
        const described: Question = {
          ...question,
          ...(asked_by && { asked_by }),
          ...(steps.length > 0 && { steps }),
          ...(tool && { tool }),
        };
        return asker.ask(described, withdrawn);
      },
    }),
    reporting: (asker, reporter) => ({
      async ask(question, withdrawn) {
        const report = reporter(question);
        const answer = await asker.ask(question, withdrawn);
        const call = calls.get(question.call_id);
        if (answer.decision !== 'deny' && call !== undefined) call.report = report;
        return answer;
      },
    }),
  };
}
