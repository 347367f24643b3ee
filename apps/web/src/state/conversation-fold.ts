import type { ChatEvent, FrameOf, SendFrame } from '@drawbridge/link/chat';
import { partsOfBlocks } from '@drawbridge/protocol';
import {
  type Delivery,
  type Entry,
  type MessageEntry,
  type OpenPrompt,
  type OpenQuestion,
  parseDetails,
} from '@drawbridge/ui/model';
import { isWorking } from './activity.ts';
import { type Conversation, type ConversationInput, positionOf } from './conversation.ts';
import { foldControl, without } from './conversation-controls.ts';
import { reindexed, shortened } from './conversation-window.ts';
import { deliveryOf, furthest } from './delivery.ts';
import { settledBy, withSettled } from './settled-prompts.ts';
import { withDelta, withoutStored } from './streamed-messages.ts';

type Message = FrameOf<'message_event'>['message'];
type Snapshot = FrameOf<'history_snapshot'>;

/** A talk being changed: its list is copied once per batch. */
interface Draft extends Conversation {
  entries: Entry[];
}

/** Folds inputs into a conversation, in order. */
export function foldConversation(
  conversation: Conversation,
  inputs: readonly ConversationInput[],
): Conversation {
  let draft: Draft = { ...conversation, entries: conversation.entries.slice() };
  for (const input of inputs) draft = { ...draft, ...take(draft, input) };
  return { ...draft, ...shortened(draft) };
}

function take(draft: Draft, input: ConversationInput): Partial<Draft> {
  switch (input.type) {
    case 'event':
      return takeEvent(draft, input.event);
    case 'append': {
      const { message_id, offset, text } = input.frame;
      // A reader that misses the text before `offset` gets all of it with the next event.
      changeMessage(draft, message_id, (entry) =>
        offset > entry.content.length ? entry : { ...entry, content: entry.content.slice(0, offset) + text },
      );
      return {};
    }
    case 'checking':
      return putDelivery(draft, input.frame.message_id, { status: 'accepted', isChecking: true });
    case 'delta':
      return { streamed: withDelta(draft.streamed, input.frame) };
    case 'snapshot':
      return takeSnapshot(draft, input.snapshot);
    case 'older_page':
      return takeOlder(draft, input.snapshot);
    case 'recalled':
      reasonTexts(draft, input.events);
      return {
        ...reindexed([...withSettled(draft.entries, input.events)]),
        questions: new Map([...askedIn(input.events), ...draft.questions]),
      };
    case 'history_state':
      return { history: { ...draft.history, state: input.state } };
    case 'greeting':
      return {
        prompts: new Map(input.prompts.map((prompt) => [prompt.prompt_id, prompt])),
        earlierPrompts: draft.prompts,
        streamed: new Map(),
        ...(input.config && { config: input.config }),
      };
    case 'held':
      return { isHeld: input.isHeld };
    case 'sent':
      return { sent: new Map(draft.sent).set(input.frame.client_message_id, input.frame) };
    case 'refused': {
      const { frame, code, message } = input;
      append(draft, {
        ...entryOfSend(frame),
        delivery: { status: 'failed', code, message, isUnknown: false },
      });
      return { sent: without(draft.sent, frame.client_message_id) };
    }
    case 'forgotten':
      return reindexed(draft.entries.filter(({ id }) => id !== input.id));
    case 'closed':
      return closed();
    default:
      return foldControl(draft, input);
  }
}

const closed = (): Partial<Draft> => ({
  isClosed: true,
  prompts: new Map(),
  questions: new Map(),
  stop: { pending: false },
  streamed: new Map(),
});

function takeEvent(draft: Draft, event: ChatEvent): Partial<Draft> {
  switch (event.type) {
    case 'message_event':
      return putMessage(draft, event.message, event.sequence);
    case 'message_accepted':
    case 'message_delivered':
    case 'message_failed':
    case 'message_cancelled':
      return putDelivery(draft, event.message_id, deliveryOf(event));
    case 'message_edited':
      changeMessage(draft, event.message_id, (entry) => ({
        ...entry,
        content: event.content,
        isEdited: true,
      }));
      return {};
    case 'permission_prompt':
      return { prompts: new Map(draft.prompts).set(event.prompt_id, promptOf(event)) };
    case 'permission_prompt_answered':
    case 'permission_prompt_expired':
      return settlePrompt(draft, event);
    case 'agent_question':
      return { questions: new Map(draft.questions).set(event.question_id, questionOf(event)) };
    case 'agent_config': {
      const { type: _type, event_id: _id, sequence: _at, session_id: _session, ...config } = event;
      return { config, model: {}, mode: {} };
    }
    case 'session_status': {
      const { activity } = event;
      if (activity === undefined) return {};
      return {
        ...(!isWorking(activity) && { stop: { pending: false }, streamed: new Map() }),
        // No event reports an answered question: an agent that no longer waits has its answer.
        ...(activity.kind !== 'waiting_for_user' && { questions: new Map() }),
      };
    }
    case 'session_up':
      return { isClosed: false };
    case 'session_down':
      return { stop: { pending: false }, streamed: new Map() };
    case 'session_closed':
      return closed();
  }
}

const questionOf = ({ question_id, text, form, expires_at }: OpenQuestion): OpenQuestion => ({
  question_id,
  text,
  ...(form && { form }),
  ...(expires_at && { expires_at }),
});

/** Questions still open after these events, which neither snapshots nor handshakes contain. */
function askedIn(events: readonly ChatEvent[]): ReadonlyMap<string, OpenQuestion> {
  const open = new Map<string, OpenQuestion>();
  for (const event of events) {
    if (event.type === 'agent_question') open.set(event.question_id, questionOf(event));
    if (event.type === 'session_closed') open.clear();
    if (event.type === 'session_status' && event.activity && event.activity.kind !== 'waiting_for_user')
      open.clear();
  }
  return open;
}

/** A snapshot marks a message as failed, without its unknown delivery (CHT-160). */
function reasonTexts(draft: Draft, events: readonly ChatEvent[]): void {
  for (const event of events) {
    if (event.type !== 'message_failed') continue;
    const news = deliveryOf(event);
    changeMessage(draft, event.message_id, (old) => ({ ...old, delivery: furthest(old.delivery, news) }));
  }
}

const promptOf = ({ session_id, prompt_id, prompt_text, choices, ...more }: OpenPrompt): OpenPrompt => ({
  session_id,
  prompt_id,
  prompt_text,
  choices,
  ...(more.timeout_ms !== undefined && { timeout_ms: more.timeout_ms }),
  ...(more.default_choice !== undefined && { default_choice: more.default_choice }),
  ...(more.detected_at !== undefined && { detected_at: more.detected_at }),
  ...(more.expires_at !== undefined && { expires_at: more.expires_at }),
});

const askedAs = ({ prompts, earlierPrompts }: Conversation, prompt_id: string): OpenPrompt | undefined =>
  prompts.get(prompt_id) ?? earlierPrompts.get(prompt_id);

function settlePrompt(draft: Draft, event: Parameters<typeof settledBy>[0]): Partial<Draft> {
  const { prompt_id } = event;
  const prompt = askedAs(draft, prompt_id);
  if (prompt === undefined) return {};
  append(draft, settledBy(event, prompt, draft.entries.at(-1)?.at ?? 0));
  return {
    prompts: without(draft.prompts, prompt_id),
    earlierPrompts: without(draft.earlierPrompts, prompt_id),
  };
}

function append(draft: Draft, entry: Entry): void {
  draft.index.set(entry.id, draft.entries.length + draft.base);
  draft.entries.push(entry);
}

function changeMessage(draft: Draft, id: string, change: (entry: MessageEntry) => MessageEntry): boolean {
  const position = positionOf(draft, id);
  const entry = position === undefined ? undefined : draft.entries[position];
  if (position === undefined || entry?.kind !== 'message') return false;
  draft.entries[position] = change(entry);
  return true;
}

function entryOf(message: Message, delivery: Delivery | undefined): MessageEntry {
  const { message_id, role, content, created_at, attachments = [], metadata } = message;
  const details = parseDetails(metadata);
  const parts = details === undefined ? partsOfBlocks(message) : undefined;
  const said = deliveryReported(message);
  const known = said && delivery ? furthest(delivery, said) : (delivery ?? said);
  return {
    kind: 'message',
    id: message_id,
    role,
    content,
    at: Date.parse(created_at),
    attachments,
    ...(details && { details }),
    ...(parts && { parts }),
    ...(known && { delivery: known }),
  };
}

function deliveryReported({ status }: Message): Delivery | undefined {
  if (status === undefined) return undefined;
  return status === 'failed' ? { status, isUnknown: false } : { status };
}

/** CHT-166: merges a record and its delivery in whichever order they come. */
function putMessage(draft: Draft, message: Message, sequence: number): Partial<Draft> {
  const id = message.message_id;
  const entry = entryOf(message, draft.deliveries.get(id));
  const isThere = changeMessage(draft, id, (old) => ({
    ...entryOf(message, old.delivery),
    ...(old.sequence !== undefined && { sequence: old.sequence }),
    ...(old.isEdited && { isEdited: true }),
  }));
  if (!isThere) append(draft, { ...entry, sequence });
  return {
    deliveries: without(draft.deliveries, id),
    sent: without(draft.sent, id),
    streamed: withoutStored(draft.streamed, message),
    ...reportedIn([entry]),
  };
}

/** Plan and usage, shown beside the conversation. */
function reportedIn(entries: readonly MessageEntry[]): Partial<Pick<Draft, 'plan' | 'usage'>> {
  const told: Partial<Pick<Draft, 'plan' | 'usage'>> = {};
  for (const { details } of entries) {
    if (details?.kind === 'plan') Object.assign(told, { plan: details });
    if (details?.kind === 'usage') Object.assign(told, { usage: details });
  }
  return told;
}

function putDelivery(draft: Draft, id: string, news: Delivery): Partial<Draft> {
  const isThere = changeMessage(draft, id, (old) => ({ ...old, delivery: furthest(old.delivery, news) }));
  if (isThere) return {};
  const frame = draft.sent.get(id);
  if (frame !== undefined) {
    append(draft, { ...entryOfSend(frame), delivery: news });
    return { sent: without(draft.sent, id) };
  }
  const known = furthest(draft.deliveries.get(id), news);
  return { deliveries: new Map(draft.deliveries).set(id, known) };
}

/** A message of this device before its ack. */
export const entryOfSend = (frame: SendFrame): MessageEntry => ({
  kind: 'message',
  id: frame.client_message_id,
  role: 'user',
  content: frame.content ?? '',
  at: Date.parse(frame.created_at),
  attachments: frame.attachments ?? [],
  delivery: { status: 'queued' },
});

const historyOf = ({ before_sequence }: Snapshot): Conversation['history'] => ({
  state: 'there',
  ...(before_sequence !== undefined && { before: before_sequence }),
});

/** Replaces the newest messages; known older ones stay. */
function takeSnapshot(draft: Draft, snapshot: Snapshot): Partial<Draft> {
  const fresh = snapshot.messages.map((message) => {
    const position = positionOf(draft, message.message_id);
    const old = position === undefined ? undefined : draft.entries[position];
    const known = old?.kind === 'message' ? old.delivery : draft.deliveries.get(message.message_id);
    return entryOf(message, known);
  });
  const [first] = fresh;
  // Much may be missing between the stored state and now.
  const overlap = draft.asOf === undefined ? first && positionOf(draft, first.id) : undefined;
  const kept = overlap === undefined ? [] : draft.entries.slice(0, overlap);
  return {
    ...reindexed([...kept, ...marked(fresh, snapshot)]),
    ...reportedIn(fresh),
    asOf: undefined,
    history: overlap === undefined ? historyOf(snapshot) : { ...draft.history, state: 'there' },
  };
}

/** Prepends older messages. */
function takeOlder(draft: Draft, snapshot: Snapshot): Partial<Draft> {
  const older = snapshot.messages
    .filter(({ message_id }) => positionOf(draft, message_id) === undefined)
    .map((message) => entryOf(message, draft.deliveries.get(message.message_id)));
  const base = draft.base - older.length;
  older.forEach(({ id }, at) => {
    draft.index.set(id, at + base);
  });
  const told = reportedIn(older);
  return {
    ...{ entries: [...marked(older, snapshot), ...draft.entries], base, history: historyOf(snapshot) },
    ...{ plan: draft.plan ?? told.plan, usage: draft.usage ?? told.usage },
  };
}

/** Older messages are requested before the page's first one. */
const marked = (entries: readonly MessageEntry[], { before_sequence }: Snapshot): readonly MessageEntry[] =>
  entries.map((entry, at) =>
    at === 0 && before_sequence !== undefined ? { ...entry, sequence: before_sequence } : entry,
  );
