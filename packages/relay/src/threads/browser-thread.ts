import type { RuntimeView } from '@drawbridge/bridge';
import type { FileRecord } from '@drawbridge/ledger';
import { type Answer, type Asker, BridgeError, type MessageDetails, quotedLine } from '@drawbridge/protocol';
import { maskShapes, maskShapesIn } from '@drawbridge/protocol/secrets';
import { CUT_OFF, isCutOff, seenIn } from '../approvals/outcome-words.ts';
import {
  createPromptAsker,
  type PromptAskerOptions,
  type RecordedMessage,
} from '../approvals/prompt-asker.ts';
import { type CallError, cancelledBeforeStart } from '../server/quotas/call-quota.ts';
import { toolsOf } from '../server/runtimes/maps.ts';
import type { AgentHolds } from './agent-holds.ts';
import {
  createTabLabels,
  inQuotes,
  pageAfter,
  type StepWords,
  stepWords,
  tabKey,
  tabOfCall,
} from './step-words.ts';

export interface BrowserThreadOptions extends Pick<PromptAskerOptions, 'core' | 'clock'> {
  readonly session_id: string;
  /** Owner of the session. */
  readonly proxy_device_id: string;
  /** Name of the agent, for its questions. */
  readonly label: string;
  /** Origins that the person chose; every lent tab without. */
  readonly origins?: readonly string[] | undefined;
  readonly tabs: () => readonly RuntimeView[];
  /** Cancels the agent's calls, with words for it. */
  readonly onInterrupt: (words: string) => void;
  readonly holds: Pick<AgentHolds, 'isStopped' | 'stop' | 'pausedBy' | 'released'>;
  /** Messages of an earlier thread of the session that the agent has not got. */
  readonly messages?: readonly string[] | undefined;
  /** Stores what the agent has not got. */
  readonly onMessages?: ((messages: readonly string[]) => Promise<void>) | undefined;
  /** Stores a small picture of a tab as it looks now; undefined when there is none. */
  readonly picture?:
    | ((tab: RuntimeView, owner: TabPictureOwner, cancelled: AbortSignal) => Promise<string | undefined>)
    | undefined;
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

/** The conversation of a picture, and the device whose quota it counts against. */
export interface TabPictureOwner {
  readonly session_id: string;
  readonly device_id: string;
}

export interface OwnThread {
  readonly machine_label: string;
  /** The made-up device that speaks in the session. */
  readonly device_id: string;
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
  readonly label: string;
  readonly origins: readonly string[] | undefined;
  /** The lent tabs that the agent may use now. */
  readonly tabs: () => readonly RuntimeView[];
  /** The tab of its last call, while it is there. */
  readonly tab: () => RuntimeView | undefined;
  readonly maySee: (url: string) => boolean;
  /** An agent that came by itself. */
  readonly isOwn: boolean;
  readonly openCalls: () => ReadonlySet<string>;
  /** Cancels the agent's calls, with words for it. */
  readonly interrupt: (words: string) => void;
  /** Refuses calls until a person writes. */
  readonly stop: () => void;
  /** Messages of people to the agent since its last answer. */
  readonly takeMessages: () => readonly string[];
  /** A reason to refuse the call, in words for the agent. */
  readonly refusal: (call: ThreadCall) => string | undefined;
  readonly began: (call: ThreadCall) => void;
  /**
   * Waits until a step is stored, so that a crash leaves no press without a trace, and while a person works in the
   * browser (CHT-366). Undefined when the call may begin at once. Rejects when it may not begin.
   */
  readonly held: (call_id: string) => Promise<unknown> | undefined;
  /** Words of the relay in the conversation. */
  readonly tell: (message_id: string, words: string) => void;
  /** Words for the agent's next answer. */
  readonly note: (words: string) => void;
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
  readonly name: string;
  readonly tab: string | undefined;
  /** Aborts with its end: its question is over then, also for a tab that can't be told. */
  readonly over: AbortController;
  /** Waits for a person: it has not begun. */
  waits: boolean;
  answer?: Answer;
}

export const STEP_MESSAGE = 'step_';

export function createBrowserThread(options: BrowserThreadOptions): BrowserThread {
  const { core, clock, proxy_device_id, label, origins, onInterrupt, holds, onError, own } = options;
  let lastTab: string | undefined;
  let messages = options.messages ?? [];
  let rests = () => {};
  /** Ends the picture under way: the page may change from now on. */
  let cancelPicture = () => {};

  const stop = (): void => {
    holds.stop(session_id);
    onInterrupt('A person stopped the agent.');
  };
  const keep = async (): Promise<void> => options.onMessages?.(messages);
  const onMessage = async (text: string): Promise<void> => {
    messages = [...messages, text];
    try {
      await keep();
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

  /** A picture takes the tab for a moment: an agent that goes on at once gets the next one (CHT-368). */
  const illustrate = (
    { tab: key, name }: OpenStep,
    message_id: string,
    words: string,
    details: StepDetails,
  ): void => {
    const { picture } = options;
    if (picture === undefined || name === 'browser.close_tab') return;
    const cancelled = new AbortController();
    let cancelWait = () => {};
    const take = async (triesLeft: number): Promise<void> => {
      const tab = tabs().find((each) => tabKey(each) === key);
      const owner = { session_id, device_id: proxy_device_id };
      const thumbnail = tab && (await picture(tab, owner, cancelled.signal));
      if (cancelled.signal.aborted) return;
      if (thumbnail !== undefined) record(message_id, words, { ...details, thumbnail });
      // The step may have led to a page that is not there yet.
      else if (triesLeft > 0) wait(triesLeft);
    };
    const wait = (tries: number): void => {
      cancelWait = clock.after(PICTURE_AFTER_MS, () => void take(tries - 1).catch(onError));
    };
    wait(PICTURE_TRIES);
    cancelPicture = () => {
      cancelWait();
      cancelled.abort();
    };
  };

  const record = (message_id: string, words: string, details: StepDetails): void =>
    asker.record({
      message_id,
      content: words,
      created_at: new Date(clock.now()).toISOString(),
      details: maskShapesIn(details),
      // Metadata alone makes no later version.
      ...(details.thumbnail !== undefined && {
        attachments: [{ attachment_id: details.thumbnail, name: 'step.jpg', kind: 'image' }],
      }),
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

  /** A stop or a takeover during the wait did not know the call yet. */
  const begin = async (call_id: string, wait: Promise<void>): Promise<OpenStep> => {
    await wait;
    const step = open.get(call_id);
    if (step === undefined) throw cancelledBeforeStart();
    if (holds.isStopped(session_id)) throw new BridgeError('permission_denied', STOPPED);
    if (holds.pausedBy(session_id) !== undefined) throw new BridgeError('permission_denied', TAKEN_OVER);
    return step;
  };

  const waitForPerson = async (call_id: string): Promise<void> => {
    const patience = Promise.withResolvers<void>();
    const cancel = clock.after(PATIENCE_MS, patience.resolve);
    const step = await begin(call_id, Promise.race([holds.released(session_id), patience.promise]));
    cancel();
    // The agent decided it for the page as it was before.
    if (step.words.isStep) throw new BridgeError('state_mismatch', PAGE_OF_PERSON);
    const { words, details } = step;
    step.waits = false;
    record(STEP_MESSAGE + call_id, `${words.doing}${place(details)}…`, details);
    works(words.doing);
  };

  return {
    session_id,
    proxy_device_id,
    label,
    origins,
    tabs,
    tab: () => tabs().find((tab) => tabKey(tab) === lastTab),
    maySee,
    isOwn: own !== undefined,
    openCalls: () => new Set(open.keys()),
    interrupt: onInterrupt,
    stop,
    takeMessages() {
      const taken = messages;
      messages = [];
      if (taken.length > 0) keep().catch(onError);
      return taken;
    },
    tell,
    note(words) {
      messages = [...messages, words];
      keep().catch(onError);
    },
    refusal(call) {
      if (holds.isStopped(session_id)) {
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
    held(call_id) {
      if (holds.pausedBy(session_id) !== undefined) return waitForPerson(call_id);
      return open.get(call_id)?.words.isStep === true ? begin(call_id, asker.stored()) : undefined;
    },
    began(call) {
      cancelPicture();
      const { call_id, name, arguments: args = {} } = call;
      const tab = tabOf(call);
      const key = tab && tabKey(tab);
      if (key !== undefined) lastTab = key;
      const words = maskedWords(stepWords(name, args, labels.of(key), toolsOf(tab)));
      const { action, doing, subject } = words;
      const details: StepDetails = {
        ...{ kind: 'step', task_id: session_id, index: steps, action, status: 'running' },
        ...(subject !== undefined && { subject }),
        ...(tab && locationOf(tab)),
      };
      steps += 1;
      const isHeld = holds.pausedBy(session_id) !== undefined;
      open.set(call_id, { words, details, name, tab: key, over: new AbortController(), waits: isHeld });
      record(STEP_MESSAGE + call_id, `${isHeld ? waitsFor(words) : ''}${doing}${place(details)}…`, details);
      works(isHeld ? waitsFor(words).trim() : doing);
    },
    ended(call_id, result) {
      const step = open.get(call_id);
      if (!open.delete(call_id) || step === undefined) return;
      step.over.abort();
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
        // The report about a decision has the page's reaction (BRG-168).
        const said = words.isStep && by === '' ? seenIn(step.name, result.output, undefined) : '';
        const sentence = `${words.done}${place(details)}.${by}${said && ` ${maskShapes(said)}`}`;
        const done = { ...details, ...pageAfter(result.output), status: 'ok' as const };
        record(STEP_MESSAGE + call_id, sentence, done);
        if ((words.isStep || step.name === 'browser.screenshot') && open.size === 0)
          illustrate(step, STEP_MESSAGE + call_id, sentence, done);
        return;
      }
      const { code, message } = result.error;
      if (words.isStep && !step.waits && isCutOff(result.error)) {
        const sentence = `${words.doing}${place(details)}. ${CUT_OFF} ${maskShapes(message.slice(0, MAX_ERROR))}`;
        record(STEP_MESSAGE + call_id, sentence, { ...details, status: 'unknown' });
        return;
      }
      const ending = `Not done: ${words.doing}${place(details)}.`;
      const error = { code, message: maskShapes(withoutNotDone(message.slice(0, MAX_ERROR))) };
      const why = message === PAGE_OF_PERSON ? LOOKS_AGAIN : reasonFor(error, answer);
      record(STEP_MESSAGE + call_id, `${ending}${by}${why}`, {
        ...details,
        status: 'failed',
        error,
      });
    },
    interrupted: (message_id, words, details) =>
      record(message_id, `${words.replace(/…$/, '.')} ${UNKNOWN}`, { ...details, status: 'unknown' }),
    async ask(question, withdrawn) {
      const step = open.get(question.call_id);
      if (step !== undefined) step.waits = true;
      const ended = step === undefined ? withdrawn : AbortSignal.any([withdrawn, step.over.signal]);
      const answer = await asker.ask({ ...question, asked_by: askedBy }, ended);
      if (step !== undefined) {
        step.answer = answer;
        step.waits = answer.decision === 'deny';
      }
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
      rests = clock.after(IDLE_MS, () => {
        asker.report({ kind: 'idle' });
        asker.leave();
      });
    },
    close() {
      rests();
      cancelPicture();
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
export const TAKEN_OVER =
  'A person works in the browser now. Do nothing there; call again in a moment: the call waits for them.';
/** In place of a call that waited. */
const PAGE_OF_PERSON =
  'Not done: a person worked in the browser, and gave it back. Look again before you act.';
export const GAVE_BACK =
  'I worked in the browser myself and gave it back. The page may have changed: look again before you act.';
const WAITS = 'Waits until you give the browser back: ';
const WAITS_TO_LOOK = 'Waits until you give the browser back, and then looks again first: ';
/** A press that waited is not done: the page may be another one. */
const waitsFor = ({ isStep }: StepWords): string => (isStep ? WAITS_TO_LOOK : WAITS);
/** Clients of MCP wait 30 to 60 seconds for an answer. */
const PATIENCE_MS = 25_000;
/** Longer than an agent takes between two steps of one call. */
const PICTURE_AFTER_MS = 150;
const PICTURE_TRIES = 4;
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
/** The sentence begins with it. */
const withoutNotDone = (message: string): string =>
  message.replace(/^Not done: (.)/, (_, first: string) => first.toUpperCase());
/** Tells a person why a step was not done: the error itself is written for the agent. */
function reasonFor({ code, message }: CallError, answer: Answer | undefined): string {
  if (code !== 'permission_denied' || answer?.decision !== 'deny' || answer.by === 'nobody')
    return ` ${message}`;
  const reason = maskShapes(answer.reason?.replace(REFUSED, '') ?? '');
  return reason === '' ? '' : ` Reason: ${inQuotes(reason, MAX_ERROR)}.`;
}
const REFUSED = /^a person refused it(?:: )?/;
const LOOKS_AGAIN = ' The page may have changed: the agent looks again first.';
const UNKNOWN = 'The relay ended before the result was known. Look at the tab.';
