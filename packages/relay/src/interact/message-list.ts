import type { ChatMessage, MessageDetails } from '@drawbridge/protocol';
import { parseStored } from '../core/frames.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { EventRecord, JsonObject } from '../ledger/records.ts';

const PAGE = 500;
/** A longer session is read from its latest events. */
const MOST_EVENTS = 10_000;

type Transcript = Pick<Ledger, 'transcriptBefore'>;
type Stored = Pick<EventRecord, 'payload'>;

/** INT-159 to INT-161: a message has its last content, at the position where it was first sent. */
export async function listMessages(ledger: Transcript, session_id: string): Promise<readonly ChatMessage[]> {
  const found = new Map<string, StoredMessage>();
  for (const { message } of await transcriptOf(ledger, session_id)) found.set(message.message_id, message);
  return [...found.values()].map(shownMessage);
}

export async function messageAnswer(ledger: Transcript, session_id: string) {
  const messages = await listMessages(ledger, session_id);
  return { sessionId: session_id, messages, total: messages.length, sessionExists: true };
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
  return parseStored<StoredMessage>(payload['message']);
}

async function transcriptOf(ledger: Transcript, session_id: string) {
  const events: EventRecord[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  while (events.length < MOST_EVENTS) {
    const page = await ledger.transcriptBefore(session_id, before, PAGE);
    const [first] = page?.events ?? [];
    if (page === undefined || first === undefined) break;
    events.unshift(...page.events);
    before = first.sequence;
  }
  return events.map((event) => ({ message: storedMessage(event) }));
}

/** INT-59 */
export function shownMessage(message: StoredMessage, sequenceNumber: number): ChatMessage {
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
