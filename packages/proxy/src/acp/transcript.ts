import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Clock } from '@drawbridge/base';
import type { Activity, MessageDetails } from '@drawbridge/protocol';
import type { AgentMessage } from '../adapter.ts';
import { detailsOf, isOpen, type KnownCall, mergeCall, plainCall, textOf } from './tool-call.ts';

interface Means extends Clock {
  readonly newId: () => string;
  readonly send: (message: AgentMessage) => void;
  /** Called with each chunk of a message that is sent later. */
  readonly draft: (message: AgentMessage) => void;
}

interface Streamed {
  readonly message_id: string;
  readonly created_at: string;
  readonly kind: 'user' | 'assistant' | 'thought';
  text: string;
}

/** Each update has the whole text, so longer messages are sent less often. */
const FLUSH_MS = 200;
const flushAfter = (chars: number): number => Math.max(FLUSH_MS, chars / 40);
/** Longer messages are split. */
const MAX_CHARS = 200_000;

const KINDS = {
  user_message_chunk: 'user',
  agent_message_chunk: 'assistant',
  agent_thought_chunk: 'thought',
} as const;

/** Turns an agent's updates into messages: chunks are merged, a tool call is one message that changes. */
export class Transcript {
  readonly #means: Means;
  #current: Streamed | undefined;
  readonly #byId = new Map<string, Streamed>();
  readonly #calls = new Map<
    string,
    { readonly message_id: string; readonly created_at: string; call: KnownCall }
  >();
  #plan: { readonly message_id: string; readonly created_at: string } | undefined;
  #usage: Extract<MessageDetails, { readonly kind: 'usage' }> | undefined;
  readonly #changedCalls = new Set<string>();
  #cancelCalls: (() => void) | undefined;
  #usedBefore = 0;
  #cancel: (() => void) | undefined;
  /** Sent in this turn: its echo is no new message (CHT-165). */
  #sent: string[] = [];

  constructor(means: Means) {
    this.#means = means;
  }

  sent(text: string): void {
    this.#sent.push(text.trim());
  }

  call(toolCallId: string): KnownCall | undefined {
    return this.#calls.get(toolCallId)?.call;
  }

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.#chunk(KINDS[update.sessionUpdate], textOf(update.content), update.messageId ?? undefined);
        return;
      case 'tool_call':
      case 'tool_call_update':
        this.#pause();
        this.#toolCall(update);
        return;
      case 'plan':
        this.#pause();
        this.#reportPlan(update.entries);
        return;
      case 'usage_update': {
        const { used, size, cost } = update;
        this.#usage = { kind: 'usage', used, size, ...(cost && { cost: { ...cost } }) };
        return;
      }
      case 'notice':
        this.#pause();
        this.#say([update.title, ...(update.description ? [update.description] : [])].join('\n'));
        return;
      default:
        return;
    }
  }

  /** Words of the agent: as `system` they would pass for the proxy's or the relay's (CHT-364). */
  #say(content: string): void {
    this.#means.send({ ...this.#stamp(), role: 'assistant', content });
  }

  /** Adds a message of the proxy itself. */
  append(content: string, details?: MessageDetails): void {
    this.#means.send({ ...this.#stamp(), role: 'system', content, ...(details && { details }) });
  }

  /** Further text is another message, unless the agent names an earlier one. */
  endMessage(): void {
    this.#pause();
  }

  /** End of the last turn: open messages are complete. */
  end(): void {
    this.#pause();
    // A call that the agent did not end was stopped with its turn.
    for (const [toolCallId, { call }] of this.#calls) if (isOpen(call)) this.#changedCalls.add(toolCallId);
    this.#reportCalls(true);
    this.#byId.clear();
    this.#calls.clear();
    this.#plan = undefined;
    this.#sent = [];
    const usage = this.#usage;
    if (usage === undefined || !usage.used || usage.used === this.#usedBefore) return;
    this.#usedBefore = usage.used;
    this.append(`${usage.used} of ${usage.size} tokens of the window are used.`, usage);
  }

  #stamp() {
    return { message_id: this.#means.newId(), created_at: new Date(this.#means.now()).toISOString() };
  }

  #chunk(kind: Streamed['kind'], text: string, messageId: string | undefined): void {
    const key = messageId === undefined ? undefined : `${kind} ${messageId}`;
    const known = key === undefined ? this.#current : this.#byId.get(key);
    const goesOn = known?.kind === kind && known.text.length < MAX_CHARS;
    if (!goesOn || known !== this.#current) this.#pause();
    const current: Streamed = goesOn ? known : { ...this.#stamp(), kind, text: '' };
    if (key !== undefined) this.#byId.set(key, current);
    this.#current = current;
    current.text += text;
    if (kind !== 'user') this.#means.draft(messageOf(current));
    this.#cancel ??= this.#means.after(flushAfter(current.text.length), () => this.#reportCurrent());
  }

  #pause(): void {
    this.#reportCurrent();
    this.#current = undefined;
  }

  #reportCurrent(): void {
    this.#cancel?.();
    const waits = this.#cancel !== undefined;
    this.#cancel = undefined;
    const current = this.#current;
    if (!waits || current === undefined) return;
    if (current.kind === 'user' && this.#isEcho(current.text)) return;
    this.#means.send(messageOf(current));
  }

  /** Chunks may be a prefix of an echo. */
  #isEcho(text: string): boolean {
    const said = text.trim();
    return this.#sent.some((sent) => sent.startsWith(said));
  }

  /** Output may come in hundreds of chunks: a new status is sent at once, the rest is throttled. */
  #toolCall(update: Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>): void {
    const { toolCallId } = update;
    const known = this.#calls.get(toolCallId);
    const call = mergeCall(known?.call, update);
    const { message_id, created_at } = known ?? this.#stamp();
    this.#calls.set(toolCallId, { message_id, created_at, call });
    this.#changedCalls.add(toolCallId);
    if (known === undefined || known.call.status !== call.status) this.#reportCalls();
    else this.#cancelCalls ??= this.#means.after(FLUSH_MS, () => this.#reportCalls());
  }

  #reportCalls(isOver = false): void {
    this.#cancelCalls?.();
    this.#cancelCalls = undefined;
    for (const toolCallId of this.#changedCalls) {
      const known = this.#calls.get(toolCallId);
      if (known === undefined) continue;
      const { message_id, created_at, call } = known;
      const details = detailsOf(call, isOver);
      this.#means.send({ message_id, created_at, role: 'assistant', content: plainCall(details), details });
    }
    this.#changedCalls.clear();
  }

  #reportPlan(entries: Extract<SessionUpdate, { sessionUpdate: 'plan' }>['entries']): void {
    this.#plan ??= this.#stamp();
    const steps = entries.map(({ content, status }) => ({
      text: content.slice(0, 1_000),
      status: status === 'in_progress' ? ('active' as const) : status,
    }));
    const content = steps.map(({ text, status }) => `${MARKS[status]} ${text}`).join('\n');
    this.#means.send({ ...this.#plan, role: 'assistant', content, details: { kind: 'plan', steps } });
  }
}

function messageOf({ message_id, created_at, kind, text }: Streamed): AgentMessage {
  return {
    message_id,
    created_at,
    role: kind === 'user' ? 'user' : 'assistant',
    content: text,
    ...(kind === 'thought' && { details: { kind } }),
  };
}

const MARKS = { pending: '[ ]', active: '[>]', completed: '[x]' } as const;

const TOOL_ACTIVITY: Readonly<Record<string, Activity['kind']>> = {
  read: 'reading_files',
  search: 'reading_files',
  fetch: 'reading_files',
  execute: 'running_command',
  edit: 'applying_patch',
  delete: 'applying_patch',
  move: 'applying_patch',
};

/** Undefined for updates without an activity. */
export function activityOf(update: SessionUpdate, call: KnownCall | undefined): Activity | undefined {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return { kind: 'generating', label: 'Writing' };
    case 'agent_thought_chunk':
      return { kind: 'thinking', label: 'Thinking' };
    case 'tool_call':
    case 'tool_call_update': {
      const status = call?.status ?? 'pending';
      if (status === 'completed' || status === 'failed') return { kind: 'thinking', label: 'Thinking' };
      return {
        kind: TOOL_ACTIVITY[call?.kind ?? ''] ?? 'thinking',
        label: call?.title.slice(0, 200) ?? 'Tool',
      };
    }
    default:
      return undefined;
  }
}
