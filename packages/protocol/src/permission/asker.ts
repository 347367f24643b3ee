/** Effect classes: read, change, or change irreversibly. */
export const EFFECTS = ['read', 'act', 'irreversible'] as const;
export type EffectClass = (typeof EFFECTS)[number];

/** A question to a person before an action. All of its text was made outside the page. */
export interface Question {
  /**
   * `handover`: the page needs a person; nothing to permit, and no call waits for the answer. `address`: the
   * call goes to a private network.
   */
  readonly kind?: 'permission' | 'handover' | 'address';
  readonly question_id: string;
  readonly runtime_id: string;
  readonly call_id: string;
  /** Name of the agent's device, where the relay knows it. */
  readonly asked_by?: string;
  /** The agent's last steps in words, oldest first, where the relay knows them. */
  readonly steps?: readonly string[];
  /** How the map of the page describes its tool, where the relay knows it. */
  readonly tool?: string;
  /** The origin of the action. */
  readonly origin: string;
  /** The action or primitive. */
  readonly name: string;
  readonly effect: EffectClass;
  /** One sentence that describes the action and its arguments. */
  readonly sentence: string;
  /** Data that would enter or leave the page: one line each, secrets as dots. */
  readonly data: readonly string[];
  /** The page in the tab. For an action in a frame, its origin differs from `origin`. */
  readonly page?: { readonly title: string; readonly origin: string };
  /** Origin and path that the form or the link would be sent to; names of its query, without values. */
  readonly destination?: string;
  /** The sum to be paid: the total or the button's own price, where the page says one. */
  readonly amounts?: readonly string[];
  /** Other lines around the button that contain an amount of money. */
  readonly prices?: readonly string[];
  /** Lines of the page that say how many of what. */
  readonly goods?: readonly string[];
  /** Fields that the form would send: one line each, secrets as dots. */
  readonly sends?: readonly string[];
  /**
   * Both versions, when the page changed after a yes. `asked`: that yes was discarded. `allowed`: the last yes
   * was for the earlier version.
   */
  readonly changed?: {
    readonly before: readonly string[];
    readonly now: readonly string[];
    readonly since?: 'asked' | 'allowed';
  };
  /** Hash of this exact call: an answer is valid for no other. */
  readonly call_hash: string;
  /** Expiry of the question, in milliseconds since 1970. */
  readonly expires_at: number;
}

export type Answer =
  /** For this call only. */
  | { readonly decision: 'once'; readonly call_hash: string; readonly by: string }
  /** From now on for this tool or primitive at this origin, until a time. */
  | { readonly decision: 'always'; readonly call_hash: string; readonly by: string; readonly until?: number }
  | { readonly decision: 'deny'; readonly call_hash: string; readonly by: string; readonly reason?: string };

/** Asks a person outside the page: in a terminal, the side panel or the web app. */
export interface Asker {
  /** Resolves with `deny` when the question expires. `withdrawn` signals that the call is over. */
  readonly ask: (question: Question, withdrawn: AbortSignal) => Promise<Answer>;
}
