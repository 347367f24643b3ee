import type { AgentSide } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';
import { createPlaceholderServer } from './placeholder-server.ts';

export interface Supplied {
  readonly bridge: AgentSide;
  /** Resolves when the browser is gone. */
  readonly over: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a browser on the first call: clients start MCP servers that they may never use. */
export function createBrowserSupply(open: () => Promise<Supplied>) {
  const bridge = createPlaceholderServer();
  let opening: Promise<Supplied> | undefined;
  let closed = false;

  const opened = async (): Promise<Supplied> => {
    const supplied = await open();
    bridge.use(supplied.bridge);
    void supplied.over.then(async () => {
      if (closed) return;
      opening = undefined;
      bridge.use(undefined);
      // Already gone.
      await supplied.close().catch(() => undefined);
    });
    return supplied;
  };

  return {
    /** Stays the same across browsers. */
    bridge,
    /** Resolves when there is a browser; opens one if needed. */
    async ready(): Promise<void> {
      if (closed) throw new BridgeError('transport_failed', 'Drawbridge is stopping. Start it again.');
      opening ??= opened();
      try {
        await opening;
      } catch (error) {
        opening = undefined;
        throw asBridgeError(error);
      }
    },
    async close(): Promise<void> {
      closed = true;
      const supplied = await opening?.catch(() => undefined);
      bridge.use(undefined);
      await supplied?.close();
    },
  };
}

/** Errors go to the agent, whose person can fix them. */
function asBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  const message = error instanceof Error ? error.message : 'The browser could not be started.';
  return new BridgeError('capability_unavailable', message, { cause: error });
}
