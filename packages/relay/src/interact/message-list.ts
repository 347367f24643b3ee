import type { EventRecord, JsonObject, Ledger } from '@drawbridge/ledger';
import type { ChatMessage, MessageDetails } from '@drawbridge/protocol';
import { trustStored } from '../core/frames.ts';

const PAGE = 500;
/** A longer session is read from its latest events. */
const MOST_EVENTS = 10_000;

type Transcript = Pick<Ledger, 'transcriptBefore'>;
type Stored = Pick<EventRecord, 'payload'>;

/** INT-159 to INT-161: a message has its last content, at the position where it was first sent. */
export async function listMessages(ledger: Transcript, session_id: string): Promise<readonly ChatMessage[]> {
  const places = createMessagePlaces();
  const found: ChatMessage[] = [];
  for (const message of await messagesIn(ledger, session_id)) {
    const shown = places.show(message);
    found[shown.sequenceNumber] = shown;
  }
  return found;
}

export interface MessagePart {
  /** The newest messages only. */
  readonly limit?: number | undefined;
  /** Milliseconds since 1970: messages from then on. */
  readonly since?: number | undefined;
}

/** INT-311: a part of the list keeps the numbers and the total of the whole. */
export async function messageAnswer(ledger: Transcript, session_id: string, part: MessagePart = {}) {
  const { limit = Number.MAX_SAFE_INTEGER, since = 0 } = part;
  const all = await listMessages(ledger, session_id);
  const messages = all.filter(({ timestamp }) => Date.parse(timestamp) >= since).slice(-limit);
  return { sessionId: session_id, messages, total: all.length, sessionExists: true };
}

export interface MessagePlaces {
  readonly show: (message: StoredMessage) => ChatMessage & { readonly sequenceNumber: number };
}

/** INT-312: positions and times of a session's messages. A later message never has an earlier time. */
export function createMessagePlaces(): MessagePlaces {
  const places = new Map<string, { readonly index: number; readonly created_at: string }>();
  let latest = '';
  return {
    show(message) {
      const { message_id } = message;
      latest = message.created_at > latest && !places.has(message_id) ? message.created_at : latest;
      const place = places.get(message_id) ?? { index: places.size, created_at: latest };
      places.set(message_id, place);
      return shownMessage({ ...message, created_at: place.created_at }, place.index);
    },
  };
}

/** People's messages to a session after this sequence, and the sequence where they end. */
export async function messagesAfter(
  ledger: Pick<Ledger, 'eventsAfter'>,
  session_id: string,
  sequence: number,
): Promise<{ readonly said: readonly string[]; readonly received: number }> {
  const said: string[] = [];
  let received = sequence;
  for (;;) {
    const page = await ledger.eventsAfter(session_id, received, PAGE);
    const last = page?.events.at(-1);
    if (page === undefined || last === undefined) return { said, received };
    const messages = page.events.filter(({ type }) => type === 'message_event').map(storedMessage);
    said.push(
      ...messages.filter((each) => each.client_message_id !== undefined).map(({ content }) => content),
    );
    received = last.sequence;
  }
}

interface StoredMessage {
  readonly message_id: string;
  readonly client_message_id?: string;
  readonly role: string;
  readonly content: string;
  readonly created_at: string;
  readonly metadata?: { readonly details?: MessageDetails };
}

export const storedMessage = ({ payload }: Stored): StoredMessage => messageIn(payload);

function messageIn(payload: JsonObject): StoredMessage {
  return trustStored<StoredMessage>(payload['message']);
}

/** Every version of each message, in stored order. */
export async function messagesIn(ledger: Transcript, session_id: string): Promise<readonly StoredMessage[]> {
  const events: EventRecord[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  while (events.length < MOST_EVENTS) {
    const page = await ledger.transcriptBefore(session_id, before, PAGE);
    const [first] = page?.events ?? [];
    if (page === undefined || first === undefined) break;
    events.unshift(...page.events);
    before = first.sequence;
  }
  return events.map(storedMessage);
}

/** INT-59 */
function shownMessage(
  message: StoredMessage,
  sequenceNumber: number,
): ChatMessage & { readonly sequenceNumber: number } {
  const { message_id, role, content, created_at, metadata } = message;
  return {
    messageId: message_id,
    role: role === 'user' || role === 'system' ? role : 'assistant',
    content,
    timestamp: created_at,
    sequenceNumber,
    ...(metadata?.details && actionOf(metadata.details)),
    ...(metadata && { metadata }),
  };
}

const STATUSES = { running: 'pending', ok: 'success', failed: 'failure', unknown: undefined } as const;

function actionOf(details: MessageDetails): Pick<ChatMessage, 'actionString' | 'status' | 'error'> {
  if (details.kind === 'task_result') {
    const isDone = details.status === 'completed';
    return { actionString: isDone ? 'finish()' : 'fail()', status: isDone ? 'success' : 'failure' };
  }
  if (details.kind !== 'step') return {};
  const status = STATUSES[details.status];
  return {
    actionString: details.action,
    ...(status !== undefined && { status }),
    ...(details.error && { error: details.error }),
  };
}
