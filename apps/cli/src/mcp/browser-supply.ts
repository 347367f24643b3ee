import type { AgentSide } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';
import { createStandIn } from './stand-in.ts';

/** A browser that an agent uses, for as long as there is one. */
export interface Supplied {
  readonly bridge: AgentSide;
  /** The browser is gone, whoever closed it. */
  readonly over: Promise<void>;
  readonly close: () => Promise<void>;
}

export interface BrowserSupply {
  /** The same one all along. */
  readonly bridge: AgentSide;
  /** Resolves when there is a browser; opens one when there is none, or none any more. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A program starts its MCP servers when it starts, and may never use them: a browser comes with the first call. */
export function createBrowserSupply(open: () => Promise<Supplied>): BrowserSupply {
  const bridge = createStandIn();
  let opening: Promise<Supplied> | undefined;
  let closed = false;

  const opened = async (): Promise<Supplied> => {
    const supplied = await open();
    bridge.use(supplied.bridge);
    void supplied.over.then(async () => {
      if (closed) return;
      opening = undefined;
      bridge.use(undefined);
      // It is gone already: what cannot be closed any more is closed.
      await supplied.close().catch(() => undefined);
    });
    return supplied;
  };

  return {
    bridge,
    async ready() {
      if (closed) throw new BridgeError('transport_failed', 'Drawbridge is stopping. Start it again.');
      opening ??= opened();
      try {
        await opening;
      } catch (error) {
        opening = undefined;
        throw asBridgeError(error);
      }
    },
    async close() {
      closed = true;
      const supplied = await opening?.catch(() => undefined);
      bridge.use(undefined);
      await supplied?.close();
    },
  };
}

/** What stands in the way of a browser is said to the agent: its person can do something about it. */
function asBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  const message = error instanceof Error ? error.message : 'The browser could not be started.';
  return new BridgeError('capability_unavailable', message, { cause: error });
}
