import type { RuntimeView } from '@drawbridge/bridge';
import type { Answer, Asker, MessageDetails } from '@drawbridge/protocol';
import { maskShapes, maskShapesIn } from '@drawbridge/protocol/secrets';
import { createPromptAsker, type PromptAskerOptions, type Thread } from '../approvals/prompt-asker.ts';
import type { CallError } from '../server/quotas/call-quota.ts';
import { learnLabels, type StepWords, stepWords } from './step-words.ts';

export interface BrowserThreadOptions extends Pick<PromptAskerOptions, 'core' | 'clock'> {
  readonly session_id: string;
  /** Owner of the session. */
  readonly proxy_device_id: string;
  /** Name of the agent, for its questions. */
  readonly label: string;
  readonly tabs: () => readonly RuntimeView[];
  readonly onInterrupt: Thread['onInterrupt'];
}

export interface ThreadCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly runtime_id?: string | undefined;
}

/** A launched agent's browser calls, as messages and prompts of the agent's session (CHT-331, CHT-332). */
export interface BrowserThread extends Asker {
  readonly session_id: string;
  readonly proxy_device_id: string;
  readonly began: (call: ThreadCall) => void;
  readonly ended: (call_id: string, result: CallResult) => void;
  /** Settles a step of an earlier relay, whose result nobody knows. */
  readonly interrupted: (message_id: string, words: string, details: StepDetails) => void;
  readonly withdraw: (prompt_id: string) => void;
  readonly close: () => void;
}

export type CallResult = { readonly output: unknown } | { readonly error: CallError };
export type StepDetails = Extract<MessageDetails, { kind: 'step' }>;

interface OpenStep {
  readonly words: StepWords;
  readonly details: StepDetails;
  answer?: Answer;
}

export const STEP_MESSAGE = 'step_';

export function createBrowserThread(options: BrowserThreadOptions): BrowserThread {
  const { core, clock, session_id, proxy_device_id, label, tabs, onInterrupt } = options;
  const asker = createPromptAsker({
    ...{ core, clock, label },
    device_id: proxy_device_id,
    thread: { session_id, onInterrupt },
  });
  const labels = new Map<string, string>();
  const open = new Map<string, OpenStep>();
  let steps = 0;

  const record = (message_id: string, words: string, details: StepDetails): void =>
    asker.record({
      message_id,
      content: maskShapes(words),
      created_at: new Date(clock.now()).toISOString(),
      details: maskShapesIn(details),
    });

  /** The tab of a call that names none is the only one. */
  const locationOf = (runtime_id: string | undefined): Pick<StepDetails, 'before'> => {
    const there = tabs();
    const tab =
      there.find((each) => each.runtime_id === runtime_id) ?? (there.length === 1 ? there[0] : undefined);
    if (tab === undefined) return {};
    const { ready, status } = tab;
    const url = URL.parse(status?.url ?? ready.url);
    if (url === null) return {};
    // Without query and fragment, which may hold a secret.
    const place = url.origin === 'null' ? url.protocol : url.origin + url.pathname;
    return { before: { url: place, ...(ready.title !== undefined && { title: ready.title }) } };
  };

  const place = ({ before }: StepDetails): string => {
    const host = before && URL.parse(before.url)?.host;
    return host ? ` on ${host}` : '';
  };

  return {
    session_id,
    proxy_device_id,
    began({ call_id, name, arguments: args = {}, runtime_id }) {
      const words = stepWords(name, args, labels);
      const { action, doing, subject } = words;
      const details: StepDetails = {
        ...{ kind: 'step', task_id: session_id, index: steps, action, status: 'running' },
        ...(subject !== undefined && { subject }),
        ...locationOf(runtime_id),
      };
      steps += 1;
      open.set(call_id, { words, details });
      record(STEP_MESSAGE + call_id, `${doing}${place(details)}…`, details);
    },
    ended(call_id, result) {
      const step = open.get(call_id);
      if (!open.delete(call_id) || step === undefined) return;
      const { words, details, answer } = step;
      const by =
        answer === undefined || answer.by === 'nobody'
          ? ''
          : ` ${answer.decision === 'deny' ? 'Denied' : 'Allowed'} by ${answer.by}.`;
      if ('output' in result) {
        learnLabels(result.output, labels);
        record(STEP_MESSAGE + call_id, `${words.done}${place(details)}.${by}`, { ...details, status: 'ok' });
        return;
      }
      const { code, message } = result.error;
      const ending = `Not done: ${words.doing}${place(details)}.`;
      const error = { code, message: message.slice(0, MAX_ERROR) };
      record(STEP_MESSAGE + call_id, `${ending}${by} ${error.message}`, {
        ...details,
        status: 'failed',
        error,
      });
    },
    interrupted: (message_id, words, details) =>
      record(message_id, `${words.replace(/…$/, '.')} ${UNKNOWN}`, { ...details, status: 'unknown' }),
    async ask(question, withdrawn) {
      const answer = await asker.ask({ ...question, asked_by: label }, withdrawn);
      const step = open.get(question.call_id);
      if (step !== undefined) step.answer = answer;
      return answer;
    },
    withdraw: asker.withdraw,
    close: asker.close,
  };
}

const MAX_ERROR = 500;
const UNKNOWN = 'The relay ended before the result was known. Look at the tab.';
