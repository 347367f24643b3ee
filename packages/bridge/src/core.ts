import type { Clock } from '@drawbridge/base';
import type { BridgeFeature, BridgeItem } from '@drawbridge/protocol';
import type { BridgeEvent, Peer, RuntimeView } from './bridge.ts';
import { type BridgeLimits, type BridgeOptions, DEFAULT_LIMITS } from './options.ts';
import { createPendingCalls } from './pending-calls.ts';
import { createProbes } from './probes.ts';
import { createRegistry, latestUrl, type RuntimeEntry, type RuntimeLink, viewOf } from './registry.ts';
import { createToolPolicy } from './site-map.ts';

export type Core = ReturnType<typeof createCore>;
type Turns = ReturnType<typeof createTurns>;

/** Shared state of connections and dispatch, accessed one turn at a time. */
export function createCore(options: BridgeOptions) {
  const {
    ids,
    allowTool = createToolPolicy(),
    onError,
    relayHosts = () => [],
    maySee = () => true,
    originsOf = () => undefined,
  } = options;
  const limits: BridgeLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const turns = createTurns(onError);
  const clock: Clock = {
    now: options.clock.now,
    after: (ms, run) => options.clock.after(ms, () => turns.take(run)),
  };
  const sees = (owner: string | undefined, entry: Seen): boolean =>
    maySee(owner, { runtime_id: entry.ready.runtime_id, url: latestUrl(entry) });
  /** False when the transport threw. */
  const sendTo = ({ peer, open }: RuntimeLink, item: BridgeItem): boolean =>
    open && turns.callSafely(() => peer.send(item));
  return {
    clock,
    limits,
    turns,
    allowTool,
    sendTo,
    sees,
    originsOf,
    relayHosts,
    registry: createRegistry(clock, limits),
    pending: createPendingCalls(clock, limits),
    probes: createProbes({
      clock,
      limits,
      newId: () => ids('probe'),
      send: ({ link }, item) => sendTo(link, item),
    }),
    audience: createAudience(turns, sees),
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
  /** Ids of the runtimes that it was sent. */
  readonly known: Set<string>;
}

type Seen = Pick<RuntimeEntry, 'ready' | 'status'>;

/** All subscribers to runtimes: connected agents and local listeners. */
function createAudience(turns: Turns, sees: (owner: string | undefined, entry: Seen) => boolean) {
  const agents = new Set<AgentLink>();
  const listeners = new Set<(event: BridgeEvent) => void>();

  const send = ({ peer, open }: AgentLink, item: BridgeItem): void => {
    if (open) turns.callSafely(() => peer.send(item));
  };

  /** Sends the known state of a runtime, if the agent may see it. */
  const introduce = (link: AgentLink, entry: Seen): void => {
    if (!sees(link.peer.owner, entry)) return;
    link.known.add(entry.ready.runtime_id);
    send(link, entry.ready);
    if (entry.status !== undefined) send(link, entry.status);
  };

  /** An item beyond the protocol goes only to agents that listed its feature (BRG-119). */
  const part = (link: AgentLink, runtime_id: string, reason: string): void => {
    if (!link.known.delete(runtime_id)) return;
    if (link.features.includes(GONE)) send(link, { type: GONE, runtime_id, reason });
  };

  return {
    agents,
    listeners,
    send,
    introduce,
    /** Sends an item about a runtime to every agent that may see it. */
    sendToAgents(entry: Seen, item: BridgeItem): void {
      for (const link of agents) {
        const isKnown = link.known.has(entry.ready.runtime_id);
        if (!sees(link.peer.owner, entry)) part(link, entry.ready.runtime_id, OUT_OF_SCOPE);
        else if (isKnown || item.type === 'runtime_ready') {
          link.known.add(entry.ready.runtime_id);
          send(link, item);
        } else introduce(link, entry);
      }
    },
    sendGone(runtime_id: string, reason: string): void {
      for (const link of agents) part(link, runtime_id, reason);
    },
    notifyListeners(event: BridgeEvent): void {
      for (const listener of [...listeners]) turns.callSafely(() => listener(event));
    },
  };
}

const GONE = 'runtime_gone' satisfies BridgeFeature;
const OUT_OF_SCOPE = 'The tab left what this agent may use.';

/**
 * Runs one job at a time. A local peer may answer inside `send`: processed at once, its answer would reach
 * some agents before the item that it answers has reached the others.
 */
function createTurns(onError: (fault: unknown) => void = () => {}) {
  const waiting: Array<() => void> = [];
  let running = false;

  /** Calls a peer or listener; false when it threw. */
  const callSafely = (call: () => void): boolean => {
    try {
      call();
      return true;
    } catch (fault) {
      onError(fault);
      return false;
    }
  };

  return {
    callSafely,
    onError,
    /** Runs a job now, or after the running one. */
    take(job: () => void): void {
      waiting.push(job);
      if (running) return;
      running = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) callSafely(next);
      running = false;
    },
  };
}
