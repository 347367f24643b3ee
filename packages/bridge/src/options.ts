import type { ToolPolicy } from './tool-policy.ts';

export interface Clock {
  /** Milliseconds, as `Date.now()` tells them. */
  readonly now: () => number;
  /** Runs once after so many milliseconds, unless cancelled by what it returns. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export interface BridgeLimits {
  /** Of a call that names no `timeout_ms`. */
  readonly defaultTimeoutMs: number;
  /** What a longer `timeout_ms` counts as. */
  readonly maxTimeoutMs: number;
  /** How long after a runtime should have answered `handler_timeout` the bridge does it in its place. */
  readonly timeoutGraceMs: number;
  /** A runtime that was silent for longer is probed before it gets a call. */
  readonly freshMs: number;
  readonly probeTimeoutMs: number;
  /** A runtime that cannot be probed gets no call after so long a silence. */
  readonly staleMs: number;
  /** How long a runtime that disconnected is remembered, to tell `runtime_not_ready` from `runtime_not_found`. */
  readonly rememberMs: number;
  readonly maxRemembered: number;
  readonly maxRuntimesPerConnection: number;
  readonly maxPendingPerRuntime: number;
  readonly maxQuestionsPerConnection: number;
  /** About the calls of one owner, at all runtimes: fewer than a connection takes. */
  readonly maxQuestionsPerOwner: number;
  /** Of one owner, all its connections together; runtimes of this process have none. */
  readonly maxRuntimesPerOwner: number;
  /** Characters of what all runtimes of one owner say of themselves, their maps above all. */
  readonly maxCharsPerOwner: number;
  /** Calls of one owner at one runtime: fewer than the runtime takes, so that others are still heard there. */
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

/** Of every status of a runtime in one. */
export const MAX_STATUS_CHARS = 32_768;

export interface BridgeOptions {
  readonly clock: Clock;
  /** A fresh id each time. */
  readonly ids: (kind: 'call' | 'probe') => string;
  readonly limits?: Partial<BridgeLimits>;
  /** Whether a runtime may be sent a tool of that name; `createToolPolicy()` when absent. */
  readonly allowTool?: ToolPolicy;
  /** Hears what a peer or a listener threw; the bridge goes on without it. */
  readonly onFault?: (fault: unknown) => void;
  /** BRG-172: the names of the relay that this bridge is in. */
  readonly relayHosts?: () => readonly string[];
}
