import type { Clock } from '@drawbridge/base';
import type { ToolPolicy } from './site-map.ts';

export interface BridgeLimits {
  /** Timeout of a call without `timeout_ms`. */
  readonly defaultTimeoutMs: number;
  /** Upper limit of `timeout_ms`. */
  readonly maxTimeoutMs: number;
  /** Grace after which the bridge answers `handler_timeout` in place of a silent runtime. */
  readonly timeoutGraceMs: number;
  /** Silence after which a runtime is probed before a call. */
  readonly freshMs: number;
  readonly probeTimeoutMs: number;
  /** Silence after which a runtime without probe support gets no call. */
  readonly staleMs: number;
  /** How long a disconnected runtime is remembered, to tell `runtime_not_ready` from `runtime_not_found`. */
  readonly rememberMs: number;
  readonly maxRemembered: number;
  readonly maxRuntimesPerConnection: number;
  readonly maxPendingPerRuntime: number;
  readonly maxQuestionsPerConnection: number;
  /** Open questions about one owner's calls at all runtimes; fewer than a connection allows. */
  readonly maxQuestionsPerOwner: number;
  /** All connections of one owner together; local runtimes have no owner. */
  readonly maxRuntimesPerOwner: number;
  /** Characters of all announcements of one owner's runtimes, mostly their maps. */
  readonly maxCharsPerOwner: number;
  /** Calls of one owner at one runtime; fewer than the runtime allows, so that others get through. */
  readonly maxPendingPerOwner: number;
  readonly maxRememberedPerOwner: number;
}

export const DEFAULT_LIMITS: BridgeLimits = {
  defaultTimeoutMs: 30_000,
  maxTimeoutMs: 3_600_000,
  timeoutGraceMs: 500,
  freshMs: 5_000,
  probeTimeoutMs: 1_500,
  staleMs: 30_000,
  rememberMs: 300_000,
  maxRemembered: 1_000,
  maxRuntimesPerConnection: 256,
  maxPendingPerRuntime: 256,
  maxQuestionsPerConnection: 64,
  maxQuestionsPerOwner: 16,
  maxRuntimesPerOwner: 128,
  maxCharsPerOwner: 16 * 1_048_576,
  maxPendingPerOwner: 64,
  maxRememberedPerOwner: 100,
};

/** Limit of a runtime's merged status. */
export const MAX_STATUS_CHARS = 32_768;

/** Decides whether an agent sees a runtime. */
export interface SeenRuntime {
  readonly runtime_id: string;
  readonly url: string;
}

export interface BridgeOptions {
  readonly clock: Clock;
  /** Returns a new id each time. */
  readonly ids: (kind: 'call' | 'probe') => string;
  readonly limits?: Partial<BridgeLimits>;
  /**
   * Whether an agent of this owner may see and call the runtime. Asked for each item and each call, so that a tab
   * that leaves the agent's scope leaves its list (BRG-188).
   */
  readonly maySee?: (owner: string | undefined, runtime: SeenRuntime) => boolean;
  /**
   * The origins that an agent of this owner may use; every one when undefined. The runtime gets them with each call,
   * because a tab may be elsewhere by the time the call runs or is answered (BRG-202).
   */
  readonly originsOf?: (owner: string | undefined) => readonly string[] | undefined;
  /** Whether a tool of that name may be sent to a runtime; `createToolPolicy()` by default. */
  readonly allowTool?: ToolPolicy;
  /** Receives errors thrown by a peer or listener; the bridge continues. */
  readonly onError?: (fault: unknown) => void;
  /** BRG-172: names of the relay around this bridge. */
  readonly relayHosts?: () => readonly string[];
}
