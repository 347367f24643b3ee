import type { RuntimeView } from '@drawbridge/bridge';
import type { FileRecord } from '@drawbridge/ledger';
import { type Answer, type Asker, type MessageDetails, quotedLine } from '@drawbridge/protocol';
import { maskShapes, maskShapesIn } from '@drawbridge/protocol/secrets';
import {
  createPromptAsker,
  type PromptAskerOptions,
  type RecordedMessage,
} from '../approvals/prompt-asker.ts';
import type { CallError } from '../server/quotas/call-quota.ts';
import { createTabLabels, inQuotes, type StepWords, stepWords, tabKey, tabOfCall } from './step-words.ts';

export interface BrowserThreadOptions extends Pick<PromptAskerOptions, 'core' | 'clock'> {
  readonly session_id: string;
  /** Owner of the session. */
  readonly proxy_device_id: string;
  /** Name of the agent, for its questions. */
  readonly label: string;
  /** Origins that the person chose; every lent tab without. */
  readonly origins?: readonly string[] | undefined;
  readonly tabs: () => readonly RuntimeView[];
  /** Cancels the agent's calls. */
  readonly onInterrupt: () => void;
  readonly stops: Stops;
  /** A step that changes something is over; `problem` if it was not done. */
  readonly onStep?: ((step: DoneStep) => void) | undefined;
  readonly onError: (error: unknown) => void;
  /** Present for an agent that came by itself: its session is its own (CHT-342). */
  readonly own?: OwnThread | undefined;
}

export interface DoneStep {
  readonly step: string;
  readonly site: string | undefined;
  readonly problem: string | undefined;
}

/** Sessions whose agent a person stopped, also by an earlier relay. Sessions of one credential stop together. */
export interface Stops {
  readonly has: (session_id: string) => boolean;
  readonly add: (session_id: string) => void;
}

export interface OwnThread {
  readonly machine_label: string;
  /** The made-up device that speaks in the session. */
  readonly device_id: string;
  /** Messages of an earlier relay that the agent has not got. */
  readonly messages: readonly string[];
  /** Stores what the agent has not got. */
  readonly onMessages: (messages: readonly string[]) => Promise<void>;
  /** A person closes the session. */
  readonly onClose: () => void;
}

export interface ThreadCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly runtime_id?: string | undefined;
  readonly target_runtime_id?: string | undefined;
  /** Name of the agent's program. */
  readonly client?: string | undefined;
  readonly target?: { readonly runtime_id?: string; readonly runtime_key?: string } | undefined;
}

/** A launched agent's browser calls, as messages and prompts of the agent's session (CHT-331, CHT-332). */
export interface BrowserThread extends Asker {
  readonly session_id: string;
  readonly proxy_device_id: string;
  readonly origins: readonly string[] | undefined;
  /** The lent tabs that the agent may use now. */
  readonly tabs: () => readonly RuntimeView[];
  /** The tab of its last call, while it is there. */
  readonly tab: () => RuntimeView | undefined;
  readonly maySee: (url: string) => boolean;
  /** An agent that came by itself. */
  readonly isOwn: boolean;
  readonly openCalls: () => ReadonlySet<string>;
  /** Refuses calls until a person writes. */
  readonly stop: () => void;
  readonly isStopped: () => boolean;
  /** Messages of people to the agent since its last answer. */
  readonly takeMessages: () => readonly string[];
  /** A reason to refuse the call, in words for the agent. */
  readonly refusal: (call: ThreadCall) => string | undefined;
  readonly began: (call: ThreadCall) => void;
  readonly ended: (call_id: string, result: CallResult) => void;
  /** Settles a step of an earlier relay, whose result nobody knows. */
  readonly interrupted: (message_id: string, words: string, details: StepDetails) => void;
  /** A file that a page saved, now one of the conversation. */
  readonly saved: (id: string, file: FileRecord) => void;
  readonly notSaved: (id: string, name: string, error: unknown) => void;
  readonly record: (message: RecordedMessage) => void;
  readonly withdraw: (prompt_id: string) => void;
  /** Leaves the session in a moment, unless the agent calls. */
  readonly leave: () => void;
  readonly close: () => void;
}

export type CallResult = { readonly output: unknown } | { readonly error: CallError };
export type StepDetails = Extract<MessageDetails, { kind: 'step' }>;

interface OpenStep {
  readonly words: StepWords;
  readonly details: StepDetails;
  readonly tab: string | undefined;
  answer?: Answer;
}

export const STEP_MESSAGE = 'step_';

export function createBrowserThread(options: BrowserThreadOptions): BrowserThread {
  const { core, clock, proxy_device_id, label, origins, onInterrupt, stops, onError, own } = options;
  let lastTab: string | undefined;
  let messages = own?.messages ?? [];
  let rests = () => {};

  const stop = (): void => {
    stops.add(session_id);
    onInterrupt();
  };
  const onMessage = async (text: string): Promise<void> => {
    messages = [...messages, text];
    try {
      await own?.onMessages(messages);
    } catch (error) {
      messages = messages.toSpliced(messages.lastIndexOf(text), messages.includes(text) ? 1 : 0);
      throw error;
    }
  };
  const asker = createPromptAsker({
    ...{ core, clock, label },
    ...(own === undefined
      ? { device_id: proxy_device_id, thread: { session_id: options.session_id } }
      : { device_id: own.device_id, agent: { ...own, onMessage } }),
  });
  const { session_id } = asker;
  const labels = createTabLabels();
  const open = new Map<string, OpenStep>();
  let steps = 0;

  const record = (message_id: string, words: string, details: StepDetails): void =>
    asker.record({
      message_id,
      content: words,
      created_at: new Date(clock.now()).toISOString(),
      details: maskShapesIn(details),
    });

  const tell = (message_id: string, words: string, attachments?: RecordedMessage['attachments']): void =>
    asker.record({
      message_id,
      content: maskShapes(words),
      created_at: new Date(clock.now()).toISOString(),
      ...(attachments && { attachments }),
    });

  const maySee = (url: string): boolean => isAt(url, origins);
  const tabs = () => options.tabs().filter((tab) => maySee(urlOf(tab)));

  /** The claimed name of a program is an addition: only the device's label was given by a person (CHT-346). */
  const askedBy =
    own === undefined || own.machine_label === label
      ? label
      : `${own.machine_label}, which calls itself ${quotedLine(label, MAX_NAME)}`;

  const tabOf = (call: ThreadCall): RuntimeView | undefined => tabOfCall(tabs(), call);

  const locationOf = (tab: RuntimeView): Pick<StepDetails, 'before'> => {
    const { ready } = tab;
    const url = URL.parse(urlOf(tab));
    if (url === null) return {};
    // Without query and fragment, which may hold a secret.
    const place = url.origin === 'null' ? url.protocol : url.origin + url.pathname;
    return { before: { url: place, ...(ready.title !== undefined && { title: ready.title }) } };
  };

  /** An agent of a proxy reports its own activity. */
  const works = (label?: string): void => {
    if (own === undefined) return;
    rests();
    if (label !== undefined) asker.report({ kind: 'running_command', label });
    if (open.size > 0) return;
    rests = clock.after(IDLE_MS, () => {
      asker.report({ kind: 'idle' });
      rests = clock.after(AWAY_MS, asker.leave);
    });
  };

  const place = ({ before }: StepDetails): string => {
    const host = before && URL.parse(before.url)?.host;
    return host ? ` on ${host}` : '';
  };

  return {
    session_id,
    proxy_device_id,
    origins,
    tabs,
    tab: () => tabs().find((tab) => tabKey(tab) === lastTab),
    maySee,
    isOwn: own !== undefined,
    openCalls: () => new Set(open.keys()),
    stop,
    isStopped: () => stops.has(session_id),
    takeMessages() {
      const taken = messages;
      messages = [];
      if (taken.length > 0) own?.onMessages([]).catch(onError);
      return taken;
    },
    refusal(call) {
      if (stops.has(session_id)) {
        // Closed or away: without its conversation nobody could let the agent go on.
        if (own !== undefined && !asker.isListed()) {
          tell('stopped', STILL_STOPPED);
          works();
        }
        return STOPPED;
      }
      const { arguments: args = {}, name } = call;
      const to = args['url'];
      if (!GOES_TO_URL.has(name) || typeof to !== 'string') return undefined;
      const tab = tabOf(call);
      const url = URL.parse(to, tab && urlOf(tab));
      if (url === null || maySee(url.href)) return undefined;
      return `The person chose ${origins?.join(', ')} for you, and not ${url.origin}. Stay there, or ask them.`;
    },
    began(call) {
      const { call_id, name, arguments: args = {} } = call;
      const tab = tabOf(call);
      const key = tab && tabKey(tab);
      if (key !== undefined) lastTab = key;
      const words = maskedWords(stepWords(name, args, labels.of(key)));
      const { action, doing, subject } = words;
      const details: StepDetails = {
        ...{ kind: 'step', task_id: session_id, index: steps, action, status: 'running' },
        ...(subject !== undefined && { subject }),
        ...(tab && locationOf(tab)),
      };
      steps += 1;
      open.set(call_id, { words, details, tab: key });
      record(STEP_MESSAGE + call_id, `${doing}${place(details)}…`, details);
      works(doing);
    },
    ended(call_id, result) {
      const step = open.get(call_id);
      if (!open.delete(call_id) || step === undefined) return;
      works();
      const { words, details, answer } = step;
      if (words.isStep)
        options.onStep?.({
          step: 'output' in result ? words.done : words.doing,
          site: details.before && URL.parse(details.before.url)?.origin,
          problem: 'error' in result ? result.error.message : undefined,
        });
      const by =
        answer === undefined || answer.by === 'nobody'
          ? ''
          : ` ${answer.decision === 'deny' ? 'Denied' : 'Allowed'} by ${answer.by}.`;
      if ('output' in result) {
        labels.learn(step.tab, result.output);
        record(STEP_MESSAGE + call_id, `${words.done}${place(details)}.${by}`, { ...details, status: 'ok' });
        return;
      }
      const { code, message } = result.error;
      const ending = `Not done: ${words.doing}${place(details)}.`;
      const error = { code, message: maskShapes(message.slice(0, MAX_ERROR)) };
      record(STEP_MESSAGE + call_id, `${ending}${by} ${error.message}`, {
        ...details,
        status: 'failed',
        error,
      });
    },
    interrupted: (message_id, words, details) =>
      record(message_id, `${words.replace(/…$/, '.')} ${UNKNOWN}`, { ...details, status: 'unknown' }),
    async ask(question, withdrawn) {
      const answer = await asker.ask({ ...question, asked_by: askedBy }, withdrawn);
      const step = open.get(question.call_id);
      if (step !== undefined) step.answer = answer;
      return answer;
    },
    saved: (id, { file_id, name, media_type, bytes }) =>
      tell(savedId(id), `Saved ${inQuotes(name, MAX_NAME)}, ${sizeWords(bytes)}.`, [
        { attachment_id: file_id, name, kind: media_type.startsWith('image/') ? 'image' : 'file' },
      ]),
    notSaved(id, name, error) {
      const reason = error instanceof Error ? error.message : String(error);
      tell(
        savedId(id),
        `Saved ${inQuotes(name, MAX_NAME)} on the machine of the browser, and not here. ${reason}`,
      );
    },
    record: asker.record,
    withdraw: asker.withdraw,
    leave() {
      rests();
      rests = clock.after(IDLE_MS, asker.leave);
    },
    close() {
      rests();
      open.clear();
      asker.close();
    },
  };
}

/** Masked before the address is added: a port beside “CVC” looks like a secret. */
const maskedWords = (words: StepWords): StepWords => ({
  ...words,
  doing: maskShapes(words.doing),
  done: maskShapes(words.done),
});

/** Origin of the page in a tab, for people. */
export const siteOf = (tab: RuntimeView): string => {
  const url = URL.parse(urlOf(tab));
  return url === null || url.origin === 'null' ? urlOf(tab).slice(0, MAX_NAME) : url.origin;
};
/** Whether a tab is at one of the origins that a person chose. */
export const isAt = (url: string, origins: readonly string[] | undefined): boolean =>
  origins === undefined || origins.includes(URL.parse(url)?.origin ?? '');
export const urlOf = ({ ready, status }: RuntimeView): string => status?.url ?? ready.url;
/** Primitives that open the page of an address. */
const GOES_TO_URL = new Set(['browser.navigate', 'browser.open_tab']);
export const STOPPED = 'A person stopped the agent. Do nothing in the browser until their next message.';
const STILL_STOPPED = 'Wants to use the browser, and stays stopped. Write here to let it go on.';
/** Between two calls the agent still works. */
const IDLE_MS = 5_000;
/** An agent without calls has probably ended; its messages wait for the next one. */
const AWAY_MS = 600_000;
const MAX_ERROR = 500;
const savedId = (id: string): string => `saved_${id}`;
const MAX_NAME = 120;

const sizeWords = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
const UNKNOWN = 'The relay ended before the result was known. Look at the tab.';
