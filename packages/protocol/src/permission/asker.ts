/** What a call may do: look, change something, or do what nobody can take back. */
export const EFFECTS = ['read', 'act', 'irreversible'] as const;
export type EffectClass = (typeof EFFECTS)[number];

/** What a person is asked before something happens. All of it was made outside the page. */
export interface Question {
  /**
   * `handover`: the page needs a person; there is nothing to permit, and nothing waits for the answer. `address`: the call
   * goes to a private network.
   */
  readonly kind?: 'permission' | 'handover' | 'address';
  readonly question_id: string;
  readonly runtime_id: string;
  readonly call_id: string;
  /** Where it would happen. */
  readonly origin: string;
  /** The action or primitive. */
  readonly name: string;
  readonly effect: EffectClass;
  /** One sentence: what would be done, with its arguments in words. */
  readonly sentence: string;
  /** What would leave the page or enter it: one line each, secrets as dots. */
  readonly data: readonly string[];
  /** The page in the tab. Its origin is another than `origin` when it would happen in a frame. */
  readonly page?: { readonly title: string; readonly origin: string };
  /** Origin and path that the form or the link would be sent to; names of its query, without values. */
  readonly destination?: string;
  /** Lines around the button with an amount of money in them, totals first. */
  readonly amounts?: readonly string[];
  /** The fields that the form would send: one line each, secrets as dots. */
  readonly sends?: readonly string[];
  /**
   * Both versions, where the page changed after a yes. `asked`: that yes was not used. `allowed`: the last yes
   * was for the earlier version.
   */
  readonly changed?: {
    readonly before: readonly string[];
    readonly now: readonly string[];
    readonly since?: 'asked' | 'allowed';
  };
  /** Of this exact call: an answer counts for nothing else. */
  readonly call_hash: string;
  /** When the question goes away unanswered, in milliseconds since 1970. */
  readonly expires_at: number;
}

export type Answer =
  /** For this call, this once. */
  | { readonly decision: 'once'; readonly call_hash: string; readonly by: string }
  /** From now on for this tool or primitive at this origin, until a time. */
  | { readonly decision: 'always'; readonly call_hash: string; readonly by: string; readonly until?: number }
  | { readonly decision: 'deny'; readonly call_hash: string; readonly by: string; readonly reason?: string };

/** Asks a person, outside the page: a terminal, the side panel, the web app. */
export interface Asker {
  /** Resolves with `deny` when nobody answers in time. `withdrawn` tells that the call is over. */
  readonly ask: (question: Question, withdrawn: Withdrawal) => Promise<Answer>;
}

export interface Withdrawal {
  readonly cancelled: boolean;
  readonly onCancel: (listener: () => void) => () => void;
}
