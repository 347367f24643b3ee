import type { Clock } from '@drawbridge/base';
import type { BridgeFeature, BridgeItem } from '@drawbridge/protocol';
import type { BridgeEvent, Peer, RuntimeView } from './bridge.ts';
import { type BridgeLimits, type BridgeOptions, DEFAULT_LIMITS } from './options.ts';
import { createPendingCalls } from './pending-calls.ts';
import { createProbes } from './probes.ts';
import { createRegistry, type RuntimeEntry, type RuntimeLink, viewOf } from './registry.ts';
import { createToolPolicy } from './site-map.ts';

export type Core = ReturnType<typeof createCore>;
type Turns = ReturnType<typeof createTurns>;

/** Shared state of connections and dispatch, accessed one turn at a time. */
export function createCore(options: BridgeOptions) {
  const { ids, allowTool = createToolPolicy(), onError, relayHosts = () => [] } = options;
  const limits: BridgeLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const turns = createTurns(onError);
  const clock: Clock = {
    now: options.clock.now,
    after: (ms, run) => options.clock.after(ms, () => turns.take(run)),
  };
  /** False when the transport threw. */
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
    runtimeLinks: new Set<RuntimeLink>(),
    newCallId: () => ids('call'),
    view: (entry: RuntimeEntry): RuntimeView => viewOf(entry, clock.now(), limits.freshMs),
    closed: false,
  };
}

export interface AgentLink {
  readonly peer: Peer;
  features: readonly string[];
  open: boolean;
}

/** All subscribers to runtimes: connected agents and local listeners. */
function createAudience(turns: Turns) {
  const agents = new Set<AgentLink>();
  const listeners = new Set<(event: BridgeEvent) => void>();

  const send = ({ peer, open }: AgentLink, item: BridgeItem): void => {
    if (open) turns.callOut(() => peer.send(item));
  };

  return {
    agents,
    listeners,
    send,
    /** Sends to every agent; an item beyond the protocol only to those that listed its feature (BRG-119). */
    sendToAgents(item: BridgeItem, feature?: BridgeFeature): void {
      for (const link of agents) {
        if (feature === undefined || link.features.includes(feature)) send(link, item);
      }
    },
    notifyListeners(event: BridgeEvent): void {
      for (const listener of [...listeners]) turns.callOut(() => listener(event));
    },
  };
}

/**
 * Runs one job at a time. A local peer may answer inside `send`: processed at once, its answer would reach
 * some agents before the item that it answers has reached the others.
 */
function createTurns(onError: (fault: unknown) => void = () => {}) {
  const waiting: Array<() => void> = [];
  let running = false;

  /** Calls a peer or listener; false when it threw. */
  const callOut = (call: () => void): boolean => {
    try {
      call();
      return true;
    } catch (fault) {
      onError(fault);
      return false;
    }
  };

  return {
    callOut,
    onError,
    /** Runs a job now, or after the running one. */
    take(job: () => void): void {
      waiting.push(job);
      if (running) return;
      running = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) callOut(next);
      running = false;
    },
  };
}
