import type { ChatEvent, FrameOf, SendFrame } from '@drawbridge/link/chat';
import type { Delivery, Entry, MessageEntry, OpenPrompt, OpenQuestion } from '@drawbridge/ui/model';
import type { Streamed } from './streamed-messages.ts';

export type AgentConfig = NonNullable<FrameOf<'connection_ack'>['session_configs']>[string];

type Details<Kind extends NonNullable<MessageEntry['details']>['kind']> = Extract<
  MessageEntry['details'],
  { kind: Kind }
>;

/** A question until it is answered or expires, or the agent goes on. */
export interface AskedQuestion extends OpenQuestion {
  readonly answering?: boolean;
  readonly problem?: string;
}

export interface AskedPrompt extends OpenPrompt {
  /** The choice sent from here, not confirmed yet. */
  readonly answering?: string;
  readonly problem?: string;
}

/** State of one conversation: a fold over its events. */
export interface Conversation {
  readonly entries: readonly Entry[];
  /** Index of each entry, plus `base`. Shared between versions: look up with `positionOf`. */
  readonly index: Map<string, number>;
  readonly base: number;
  /** Deliveries of messages whose text has not come yet. */
  readonly deliveries: ReadonlyMap<string, Delivery>;
  /** Messages sent by this device, until their record comes back. */
  readonly sent: ReadonlyMap<string, SendFrame>;
  readonly streamed: Streamed;
  readonly prompts: ReadonlyMap<string, AskedPrompt>;
  /** Prompts from before this connection, whose outcome follows its handshake. */
  readonly earlierPrompts: ReadonlyMap<string, AskedPrompt>;
  readonly questions: ReadonlyMap<string, AskedQuestion>;
  readonly config: AgentConfig | undefined;
  /** The newest plan and context usage, which outlast their messages. */
  readonly plan: Details<'plan'> | undefined;
  readonly usage: Details<'usage'> | undefined;
  /** `before`: older messages exist before this sequence. */
  readonly history: {
    readonly state: 'none' | 'there' | 'loading' | 'failed';
    readonly before?: number;
  };
  /** Stop was requested, and not confirmed (CHT-242). */
  readonly stop: { readonly pending: boolean; readonly problem?: string };
  /** A requested model, not confirmed (CHT-249). */
  readonly model: { readonly wanted?: string; readonly problem?: string };
  /** A requested mode, not confirmed (CHT-285). */
  readonly mode: { readonly wanted?: string; readonly problem?: string };
  readonly isClosed: boolean;
  /** A reader is further up: nothing is dropped. */
  readonly isHeld: boolean;
  /** Time of the stored state, until the relay sends its own. */
  readonly asOf?: number | undefined;
}

export const NO_CONVERSATION: Omit<Conversation, 'index'> = {
  entries: [],
  base: 0,
  deliveries: new Map(),
  sent: new Map(),
  streamed: new Map(),
  prompts: new Map(),
  earlierPrompts: new Map(),
  questions: new Map(),
  config: undefined,
  plan: undefined,
  usage: undefined,
  history: { state: 'none' },
  stop: { pending: false },
  model: {},
  mode: {},
  isClosed: false,
  isHeld: false,
};

export const createConversation = (): Conversation => ({ ...NO_CONVERSATION, index: new Map() });

export const positionOf = (
  { entries, index, base }: Pick<Conversation, 'entries' | 'index' | 'base'>,
  id: string,
) => {
  const position = (index.get(id) ?? Number.NaN) - base;
  return entries[position]?.id === id ? position : undefined;
};

export type ConversationInput =
  | { readonly type: 'event'; readonly event: ChatEvent }
  | { readonly type: 'append'; readonly frame: FrameOf<'message_append'> }
  | { readonly type: 'checking'; readonly frame: FrameOf<'message_checking'> }
  | { readonly type: 'delta'; readonly frame: FrameOf<'message_delta'> }
  | { readonly type: 'snapshot'; readonly snapshot: FrameOf<'history_snapshot'> }
  | { readonly type: 'older_page'; readonly snapshot: FrameOf<'history_snapshot'> }
  /** The newest events, for facts that snapshots lack. */
  | { readonly type: 'recalled'; readonly events: readonly ChatEvent[] }
  | { readonly type: 'history_state'; readonly state: 'loading' | 'failed' }
  | { readonly type: 'greeting'; readonly prompts: readonly OpenPrompt[]; readonly config?: AgentConfig }
  | { readonly type: 'sent'; readonly frame: SendFrame }
  | { readonly type: 'held'; readonly isHeld: boolean }
  | { readonly type: 'prompt_answering'; readonly prompt_id: string; readonly choice_id: string }
  | {
      readonly type: 'prompt_problem';
      readonly prompt_id: string;
      readonly problem: string;
      readonly isOver: boolean;
    }
  | { readonly type: 'question_answering'; readonly question_id: string }
  | { readonly type: 'question_over'; readonly question_id: string }
  | { readonly type: 'question_problem'; readonly question_id: string; readonly problem: string }
  | { readonly type: 'stop_asked' }
  | { readonly type: 'stop_ended'; readonly problem?: string }
  | { readonly type: 'model_asked'; readonly model_id: string }
  | { readonly type: 'model_refused'; readonly problem: string }
  | { readonly type: 'mode_asked'; readonly mode_id: string }
  | { readonly type: 'mode_refused'; readonly problem: string }
  | { readonly type: 'refused'; readonly frame: SendFrame; readonly code: string; readonly message: string }
  | { readonly type: 'forgotten'; readonly id: string }
  | { readonly type: 'closed' };
