import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import { originOf } from '../address/local-network.ts';

/**
 * The addresses that a call may go to and be answered about (BRG-202). The bridge knows a tab's address only after the
 * tab has left the last one, so the runtime checks where the tab is when the call runs and when it is answered.
 */
export type CallScope = ReturnType<typeof callScope>;

export function callScope({ name, origins }: Pick<ActionCall, 'name' | 'origins'>) {
  const has = (url: string) => origins === undefined || origins.includes(originOf(url));
  return {
    has,
    /** Fails with `permission_denied`. */
    require(url: string): void {
      if (has(url)) return;
      const origin = originOf(url);
      const message = `${name} leads to ${origin}, which the person did not choose for you: they chose ${origins?.join(', ')}. Nothing of it is shown to you. Ask them.`;
      throw new BridgeError('permission_denied', message, {
        evidence: { reason: 'origin_not_chosen', origin },
      });
    },
  };
}
