import type { Bus, BusMessage, CoreClock } from '../core/ports.ts';
import type { DevicePresence } from '../server/chat/chat-port.ts';

export interface SharedPresence extends DevicePresence {
  /** Forgets the presence of nodes that are gone. */
  readonly only: (node_ids: ReadonlySet<string>) => void;
  readonly close: () => void;
}

export interface PresenceOptions {
  readonly bus: Bus;
  readonly node_id: string;
  readonly clock: Pick<CoreClock, 'after'>;
}

const GATHER_MS = 100;
const MAX_NAMED = 1_000;

/**
 * Device presence: each node publishes a device's first connect and last disconnect, and answers where it has
 * the same device. A lost message leaves a device with more than its share, never with less than one node's.
 */
export function createDevicePresence({ bus, node_id, clock }: PresenceOptions): SharedPresence {
  const here = new Set<string>();
  const elsewhere = new Map<string, Set<string>>();
  let changed = new Set<string>();
  let cancel: (() => void) | undefined;

  const say = (facts: {
    readonly here?: string[];
    readonly gone?: string[];
    readonly isAnswer?: boolean;
  }): void => bus.publish({ kind: 'node', node_id, facts });

  const publish = (): void => {
    cancel = undefined;
    const ids = [...changed];
    changed = new Set();
    for (let from = 0; from < ids.length; from += MAX_NAMED) {
      const some = ids.slice(from, from + MAX_NAMED);
      say({ here: some.filter((id) => here.has(id)), gone: some.filter((id) => !here.has(id)) });
    }
  };
  const change = (device_id: string): void => {
    changed.add(device_id);
    cancel ??= clock.after(GATHER_MS, publish);
  };

  const forget = (device_id: string, from: string): void => {
    const nodes = elsewhere.get(device_id);
    if (nodes?.delete(from) === true && nodes.size === 0) elsewhere.delete(device_id);
  };

  const receive = (message: BusMessage): void => {
    if (message.kind !== 'node' || message.node_id === node_id) return;
    const { facts, node_id: from } = message;
    for (const device_id of texts(facts['gone'])) forget(device_id, from);
    const theirs = texts(facts['here']);
    for (const device_id of theirs) {
      const nodes = elsewhere.get(device_id) ?? new Set();
      elsewhere.set(device_id, nodes.add(from));
    }
    const both = theirs.filter((device_id) => here.has(device_id));
    if (both.length > 0 && facts['isAnswer'] !== true) say({ here: both, isAnswer: true });
  };
  const stop = bus.onMessage(receive);

  return {
    nodesOf: (device_id) => 1 + (elsewhere.get(device_id)?.size ?? 0),
    came(device_id) {
      here.add(device_id);
      change(device_id);
    },
    left(device_id) {
      here.delete(device_id);
      change(device_id);
    },
    only(node_ids) {
      for (const [device_id, nodes] of [...elsewhere]) {
        for (const from of [...nodes]) if (!node_ids.has(from)) forget(device_id, from);
      }
    },
    close() {
      stop();
      cancel?.();
    },
  };
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
