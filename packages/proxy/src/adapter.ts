import {
  type Activity,
  type AgentType,
  BridgeError,
  type ChatFrame,
  type ErrorCode,
  type MessageDetails,
  type SessionHealth,
} from '@drawbridge/protocol';

type FrameOf<Type extends ChatFrame['type']> = Extract<ChatFrame, { readonly type: Type }>;

/** Powers of a kind of agent or of one conversation. Others are refused. */
export type KindPower = 'discover' | 'launch';
export type TargetPower =
  | 'interrupt'
  | 'set_model'
  | 'set_mode'
  | 'permission_dialogs'
  | 'questions'
  | 'attachments'
  | 'close';

export interface AgentAdapter {
  /** The name in `launch_session`: `claude`, `opencode`. */
  readonly name: string;
  readonly powers: ReadonlySet<KindPower>;
  /** Conversations of `known` that can continue, and others that it finds. */
  readonly discover: (known: readonly KnownTarget[]) => Promise<readonly AgentTarget[]>;
  /** Called when `discover` would return something else. */
  readonly onChange: (listener: () => void) => () => void;
  readonly launch: (order: LaunchOrder) => Promise<AgentTarget>;
  /** Describes the installed agent for a person who wants to start it. */
  readonly offer?: () => Promise<AgentOffer | undefined>;
  /** Explains for `doctor` why agents are found or not. */
  readonly diagnose: () => Promise<readonly Finding[]>;
  /** Reads no more output of its agents while held, so that they wait in their pipes. */
  readonly hold?: (isHeld: boolean) => void;
  /** Idempotent. Ends what it started. */
  readonly close: () => Promise<void>;
}

export type AgentOffer = FrameOf<'proxy_offer'>['agents'][number];

/** A conversation as remembered across restarts of the proxy. */
export interface KnownTarget {
  readonly signature: string;
  readonly workspace: string;
  readonly title: string | null;
}

export interface LaunchOrder {
  /** False if the person refused the lent tabs (CHT-329). */
  readonly browser?: boolean | undefined;
  /** Already looked up in the list of workspaces. */
  readonly workspace: string;
  readonly title?: string;
  /** Aborted when the launch has taken too long. */
  readonly signal: AbortSignal;
}

export interface Finding {
  readonly ok: boolean;
  readonly what: string;
  /** How to fix it, if it fails. */
  readonly hint?: string;
}

export interface TargetDescription {
  readonly agent_type: AgentType;
  /** CHT-34: its true name, where the type is `unknown`. */
  readonly agent_name?: string;
  readonly display_name: string;
  readonly window_title?: string;
  readonly workspace: string;
  /** Changes with each process or tab; never an identity (CHT-125). */
  readonly target_id?: string;
  readonly status: SessionHealth;
  readonly activity: Activity;
  /** Can be found again after a restart of the proxy. */
  readonly lasting: boolean;
}

export interface Attachment {
  /** The file's id at the relay. */
  readonly attachment_id: string;
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export interface Injection {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A message of the transcript; the same `message_id` again changes it. */
export interface AgentMessage {
  readonly message_id: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  readonly created_at: string;
  readonly details?: MessageDetails;
}

export type AgentPrompt = Pick<
  FrameOf<'permission_prompt'>,
  'prompt_id' | 'prompt_text' | 'choices' | 'default_choice' | 'timeout_ms'
> & { readonly detected_at: string };

export type AgentQuestion = Pick<FrameOf<'agent_question'>, 'question_id' | 'text' | 'form'>;
export type QuestionAnswer = Pick<FrameOf<'agent_answer'>, 'answer' | 'values' | 'answered_by'>;

/** CHT-253: what cannot be read is `unknown` or absent. */
export type AgentConfiguration = Pick<
  FrameOf<'agent_config'>,
  | 'model_id'
  | 'available_models'
  | 'mode_id'
  | 'available_modes'
  | 'permission_mode'
  | 'permission_mode_name'
  | 'file_access_scope'
>;

export type ConfigurationChange = { readonly model: string } | { readonly mode: string };

export type Observation =
  | { readonly kind: 'message'; readonly message: AgentMessage }
  /** A message so far, which is sent later. */
  | { readonly kind: 'draft'; readonly message: AgentMessage }
  /** `describe` has changed. */
  | { readonly kind: 'described' }
  | { readonly kind: 'configured'; readonly configuration: AgentConfiguration }
  /** Once for each appearance (CHT-231). */
  | { readonly kind: 'prompt'; readonly prompt: AgentPrompt }
  /** Answered at the agent itself, or no longer asked. */
  | { readonly kind: 'prompt_gone'; readonly prompt_id: string; readonly detected_at: string }
  | { readonly kind: 'question'; readonly question: AgentQuestion }
  /** Gone; a lasting one may be discovered again. */
  | { readonly kind: 'gone' };

export interface AgentTarget {
  /** Stable across reconnects and restarts: identifies the `session_id` (CHT-124). */
  readonly signature: string;
  readonly powers: ReadonlySet<TargetPower>;
  readonly describe: () => TargetDescription;
  /** Names the session at the relay. */
  readonly assign?: (session_id: string) => void;
  /**
   * Resolves when the agent has the message, long before its answer ends. Rejects with `delivery_unknown` if
   * that is uncertain, and with any other code only if it surely has not.
   */
  readonly inject: (injection: Injection) => Promise<void>;
  /** Texts from people in the conversation that the agent stores; undefined if they cannot be read. */
  readonly pastSends?: () => Promise<readonly string[] | undefined>;
  readonly observe: (listener: (observation: Observation) => void) => () => void;
  /** Resolves when the agent has stopped. */
  readonly interrupt: () => Promise<void>;
  /** Reads the current configuration from the agent. */
  readonly configuration: () => Promise<AgentConfiguration>;
  /** Resolves with the configuration read back. */
  readonly configure: (wish: ConfigurationChange) => Promise<AgentConfiguration>;
  readonly answer: (prompt_id: string, choice_id: string) => Promise<void>;
  readonly reply: (question_id: string, answer: QuestionAnswer) => Promise<void>;
  /** Resolves when it is closed (CHT-204). */
  readonly close: () => Promise<void>;
}

export const refusal = (code: ErrorCode, message: string, cause?: unknown): BridgeError =>
  new BridgeError(code, message, cause === undefined ? {} : { cause });

/** Throws unless the power is listed. */
export function requirePower<Power extends string>(
  powers: ReadonlySet<Power>,
  power: Power,
  name: string,
): void {
  if (powers.has(power)) return;
  const code = power === 'launch' ? 'launch_not_supported' : 'control_not_supported';
  throw refusal(code, `${name} has no ${power.replaceAll('_', ' ')} that can be reached from here.`);
}
