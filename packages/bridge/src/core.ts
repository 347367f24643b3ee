import type { BridgeItem } from '@drawbridge/protocol';
import { type Audience, createAudience } from './audience.ts';
import type { RuntimeView } from './bridge.ts';
import { type BridgeLimits, type BridgeOptions, type Clock, DEFAULT_LIMITS } from './options.ts';
import { createPendingCalls, type PendingCalls } from './pending-calls.ts';
import { createProbes, type Probes } from './probes.ts';
import { createRegistry, type Registry } from './registry.ts';
import { type RuntimeEntry, type RuntimeLink, viewOf } from './runtime-entry.ts';
import { createToolPolicy, type ToolPolicy } from './tool-policy.ts';
import { createTurns, type Turns } from './turns.ts';

/** Shared state of connections and dispatch, accessed one turn at a time. */
export interface Core {
  readonly clock: Clock;
  readonly limits: BridgeLimits;
  readonly turns: Turns;
  readonly registry: Registry;
  readonly pending: PendingCalls;
  readonly probes: Probes;
  readonly audience: Audience;
  readonly allowTool: ToolPolicy;
  readonly runtimeLinks: Set<RuntimeLink>;
  readonly relayHosts: () => readonly string[];
  readonly newCallId: () => string;
  readonly view: (entry: RuntimeEntry) => RuntimeView;
  /** False when the transport threw. */
  readonly sendTo: (link: RuntimeLink, item: BridgeItem) => boolean;
  closed: boolean;
}

export function createCore(options: BridgeOptions): Core {
  const { ids, allowTool = createToolPolicy(), onError, relayHosts = () => [] } = options;
  const limits: BridgeLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const turns = createTurns(onError);
  const clock: Clock = {
    now: options.clock.now,
    after: (ms, run) => options.clock.after(ms, () => turns.take(run)),
  };
  const sendTo = ({ peer, open }: RuntimeLink, item: BridgeItem): boolean =>
    open && turns.callOut(() => peer.send(item));
  return {
    clock,
    limits,
    turns,
    allowTool,
    sendTo,
    relayHosts,
    registry: createRegistry(clock, limits),
    pending: createPendingCalls(clock, limits),
    probes: createProbes({
      clock,
      limits,
      newId: () => ids('probe'),
      send: ({ link }, item) => sendTo(link, item),
    }),
    audience: createAudience(turns),
    runtimeLinks: new Set(),
    newCallId: () => ids('call'),
    view: (entry) => viewOf(entry, clock.now(), limits.freshMs),
    closed: false,
  };
}
