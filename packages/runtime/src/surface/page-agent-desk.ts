import type { Cancellation, Clock } from '@drawbridge/manifest';
import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import { DEFAULT_TIMEOUT_MS } from '../call/answer-call.ts';
import { callDeclared } from '../call/declared-call.ts';
import type { Desk } from '../call/desk.ts';
import { pinOrigin } from '../call/origin-pin.ts';
import { withinTime } from '../call/turn.ts';
import type { SurfaceHost } from '../host.ts';
import type { OfferedCallNotice } from '../in-page/offered-tools.ts';
import type { MapChoice } from '../maps/map-source.ts';
import type { InTurn } from './lanes.ts';

export interface PageAgentOptions {
  readonly host: SurfaceHost;
  readonly desk: Desk;
  readonly clock: Clock;
  readonly cancellation: Cancellation;
  /** Queues acting calls of all callers. */
  readonly inTurn: InTurn;
}

/** Lets the page's own agent use the map, under the same grants as others. */
export interface PageAgentDesk {
  readonly offer: (choice: MapChoice) => Promise<void>;
  readonly answer: (notice: OfferedCallNotice) => Promise<void>;
}

export function createPageAgentDesk(options: PageAgentOptions): PageAgentDesk {
  const { host, desk, clock, cancellation, inTurn } = options;

  const run = (call: ActionCall) =>
    inTurn(() =>
      withinTime(DEFAULT_TIMEOUT_MS, clock, cancellation, (turn) =>
        callDeclared(call, desk, { ...turn, pin: pinOrigin(host, call.name) }, 'website'),
      ),
    );

  return {
    async offer({ offer, webTools }) {
      const tools = (offer.ready ? offer.map.tools : [])
        .filter(({ name }) => webTools?.has(name) !== true)
        .map(({ name, description, input_schema }) => ({ name, description, input_schema }));
      await host.callPage('webtools.offer', [{ tools }]);
    },
    async answer({ call_id, name, arguments: args }) {
      const { webTools } = desk.map();
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
