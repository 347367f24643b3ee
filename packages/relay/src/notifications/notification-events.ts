import type { EventKind, RelayEvent } from '../core/ports.ts';
import { tagOf } from './notice.ts';

/** An event worth a notification, before its text and recipients are known. */
export type NotificationEvent =
  | { readonly kind: 'prompt'; readonly key: string; readonly prompt_id: string; readonly text: string }
  | { readonly kind: 'question'; readonly tag: string; readonly text: string }
  /** The agent stopped working: `waits` for a person, perhaps with a question in `label`. */
  | {
      readonly kind: 'stopped';
      readonly worked_ms: number;
      readonly waits: boolean;
      readonly label: string | undefined;
    }
  | { readonly kind: 'task'; readonly status: string; readonly text: string }
  | { readonly kind: 'send'; readonly client_message_id: string; readonly problem: string }
  /** No answer is needed any more. */
  | { readonly kind: 'over'; readonly tag: string };

interface SessionProgress {
  activity: string | undefined;
  workingSince: number | undefined;
  /** Tags of questions after which no work was seen. */
  readonly questions: Set<string>;
  /** Open prompts. */
  readonly prompts: Set<string>;
}

/** Prefix of sessions in which a browser speaks. */
const BROWSER_SESSION = 'browser_';
const WORKING = new Set(['thinking', 'generating', 'reading_files', 'running_command', 'applying_patch']);

export const promptTag = (session_id: string, prompt_id: string): string =>
  tagOf('prompt', session_id, prompt_id);
/** Tag of a session's question without an id: what our own agent waits for. */
export const waitTag = (session_id: string): string => tagOf('wait', session_id);
/** A prompt asked again because its answer failed keeps its key; a newly detected one does not. */
export const promptKey = (session_id: string, prompt_id: string, detected_at: unknown): string =>
  tagOf('prompt', session_id, prompt_id, String(detected_at));

/** A person's message needs no notification. */
export const NOTIFYING = [
  'permission_prompt',
  'permission_prompt_answered',
  'permission_prompt_expired',
  'agent_question',
  'session_status',
  'session_up',
  'session_down',
  'session_closed',
  'message_failed',
  'message_event',
] as const satisfies readonly EventKind[];

/** Reads the events of all sessions in order and has no side effects: it runs inside the core's turn. */
export function createNotificationEvents(): (event: RelayEvent) => readonly NotificationEvent[] {
  const paces = new Map<string, SessionProgress>();

  const paceOf = (session_id: string): SessionProgress => {
    const known = paces.get(session_id);
    if (known !== undefined) return known;
    const pace: SessionProgress = {
      activity: undefined,
      workingSince: undefined,
      questions: new Set(),
      prompts: new Set(),
    };
    paces.set(session_id, pace);
    return pace;
  };

  const overIn = ({ questions }: SessionProgress): readonly NotificationEvent[] => {
    const over = [...questions].map((tag): NotificationEvent => ({ kind: 'over', tag }));
    questions.clear();
    return over;
  };

  const moved = (
    session_id: string,
    at: number,
    activity: Loose | undefined,
  ): readonly NotificationEvent[] => {
    const kind = textIn(activity, 'kind');
    if (kind === undefined) return [];
    const pace = paceOf(session_id);
    const { activity: before, workingSince } = pace;
    pace.activity = kind;
    const answered = before === 'waiting_for_user' && kind !== before ? overIn(pace) : [];
    if (WORKING.has(kind)) {
      pace.workingSince ??= at;
      return answered;
    }
    pace.workingSince = undefined;
    if (before === kind) return answered;
    const waits = kind === 'waiting_for_user';
    // The question it waits for has already been sent.
    if (waits && pace.prompts.size + pace.questions.size > 0) return answered;
    if (waits) pace.questions.add(waitTag(session_id));
    const worked_ms = workingSince === undefined ? 0 : at - workingSince;
    return [...answered, { kind: 'stopped', worked_ms, waits, label: textIn(activity, 'label') }];
  };

  const gone = (session_id: string): readonly NotificationEvent[] => {
    const pace = paces.get(session_id);
    paces.delete(session_id);
    return pace === undefined ? [] : overIn(pace);
  };

  return ({ session_id, type, payload, at }) => {
    const prompt_id = textIn(payload, 'prompt_id');
    switch (type) {
      case 'permission_prompt': {
        if (prompt_id === undefined) return [];
        const key = promptKey(session_id, prompt_id, payload['detected_at']);
        paceOf(session_id).prompts.add(prompt_id);
        return [{ kind: 'prompt', key, prompt_id, text: textIn(payload, 'prompt_text') ?? '' }];
      }
      case 'permission_prompt_answered':
      case 'permission_prompt_expired':
        if (prompt_id === undefined) return [];
        paces.get(session_id)?.prompts.delete(prompt_id);
        return [{ kind: 'over', tag: promptTag(session_id, prompt_id) }];
      case 'agent_question': {
        const tag = tagOf('question', session_id, String(payload['question_id']));
        paceOf(session_id).questions.add(tag);
        return [{ kind: 'question', tag, text: textIn(payload, 'text') ?? '' }];
      }
      case 'session_status':
        return moved(session_id, at, objectIn(payload, 'activity'));
      case 'session_up':
        return moved(session_id, at, objectIn(objectIn(payload, 'session'), 'activity'));
      case 'session_down':
      case 'session_closed':
        return gone(session_id);
      case 'message_failed': {
        const client_message_id = textIn(payload, 'client_message_id');
        if (client_message_id === undefined) return [];
        const problem = textIn(objectIn(payload, 'error'), 'message') ?? '';
        return [{ kind: 'send', client_message_id, problem }];
      }
      case 'message_event':
        return messageEvents(session_id, objectIn(payload, 'message'));
      default:
        return [];
    }
  };
}

function messageEvents(session_id: string, message: Loose | undefined): readonly NotificationEvent[] {
  const text = textIn(message, 'content') ?? '';
  const details = objectIn(objectIn(message, 'metadata'), 'details');
  if (textIn(details, 'kind') === 'task_result') {
    return [{ kind: 'task', status: textIn(details, 'status') ?? '', text }];
  }
  // A page that needs its person: a browser reports this in its own session, and nothing waits for an answer.
  const isHandover = session_id.startsWith(BROWSER_SESSION) && textIn(message, 'role') === 'system';
  if (!isHandover) return [];
  return [{ kind: 'question', tag: tagOf('handover', session_id, text), text }];
}

type Loose = Readonly<Record<string, unknown>>;

const textIn = (value: Loose | undefined, name: string): string | undefined => {
  const found = value?.[name];
  return typeof found === 'string' ? found : undefined;
};

const objectIn = (value: Loose | undefined, name: string): Loose | undefined => {
  const found = value?.[name];
  return isLoose(found) ? found : undefined;
};

const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
