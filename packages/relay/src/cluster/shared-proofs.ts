import type { Bus } from '../core/ports.ts';
import type { UsedProofs } from '../devices/proof.ts';

/** Marks an accepted proof as used on all nodes, as soon as the bus has delivered the message. */
export function shareProofs({ bus, node_id }: { readonly bus: Bus; readonly node_id: string }): UsedProofs & {
  readonly close: () => void;
} {
  const used = new Map<string, number>();
  const close = bus.onMessage((message) => {
    if (message.kind !== 'node' || message.node_id === node_id) return;
    const { proof, until } = message.facts;
    if (typeof proof === 'string' && typeof until === 'number') used.set(proof, until);
  });
  return {
    used,
    announce: (proof, until) => bus.publish({ kind: 'node', node_id, facts: { proof, until } }),
    close,
  };
}
