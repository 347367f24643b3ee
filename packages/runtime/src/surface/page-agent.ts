import type { Clock } from '@drawbridge/base';
import type { OfferedCallNotice } from '@drawbridge/page/calls';
import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import { DEFAULT_TIMEOUT_MS } from '../call/answer-call.ts';
import type { CallContext } from '../call/call-context.ts';
import { pinOrigin } from '../call/call-context.ts';
import { withDeadline } from '../call/deadline.ts';
import { callDeclared } from '../call/declared-call.ts';
import type { SurfaceHost } from '../host.ts';
import type { MapChoice } from '../maps/map-source.ts';
import type { Acting } from './acting.ts';

export interface PageAgentOptions {
  readonly host: SurfaceHost;
  readonly callContext: CallContext;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Queues acting calls of all callers. */
  readonly acting: Acting;
}

/** Lets the page's own agent use the map, under the same grants as others. */
export function createPageAgent(options: PageAgentOptions) {
  const { host, callContext, clock, signal, acting } = options;

  const run = (call: ActionCall) =>
    acting.inTurn(() =>
      withDeadline(DEFAULT_TIMEOUT_MS, clock, signal, (turn) =>
        callDeclared(call, callContext, { ...turn, pin: pinOrigin(host, call.name) }, 'website'),
      ),
    );

  return {
    async offer({ offer, webTools }: MapChoice): Promise<void> {
      const tools = (offer.ready ? offer.map.tools : [])
        .filter(({ name }) => webTools?.has(name) !== true)
        .map(({ name, description, input_schema }) => ({ name, description, input_schema }));
      await host.callPage('webtools.offer', [{ tools }]);
    },
    async answer({ call_id, name, arguments: args }: OfferedCallNotice): Promise<void> {
      const { webTools } = callContext.map();
      try {
        // The page's agent calls its own tools itself: through us they would use our grants.
        if (webTools?.has(name) === true) throw new BridgeError('unknown_action', `${name} is not offered.`);
        const output = await run({ type: 'action_call', call_id, name, arguments: { ...args } });
        await host.callPage('webtools.answer', [{ call_id, output }]);
      } catch (error) {
        const message = error instanceof BridgeError ? `${error.code}: ${error.message}` : 'It failed.';
        await host.callPage('webtools.answer', [{ call_id, error: message }]).catch(() => undefined);
      }
    },
  };
}
