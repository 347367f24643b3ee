import { CLOSE_CODES, type ConnectionOptions, type OpenConnection, openConnection } from './connection.ts';
import type { CoreContext } from './core-context.ts';
import { frameText } from './frames.ts';
import type { Peer } from './peer.ts';
import type { RelayCore } from './ports.ts';

interface ConnectionsOptions extends Pick<ConnectionOptions, 'handshake' | 'perform' | 'takesProxies'> {
  readonly base: CoreContext;
  /** Called once, for any kind of end, but not while the relay stops. */
  readonly onEnd: (peer: Peer) => void;
  /** Stops everything that would begin new work, and waits for work under way. */
  readonly settle: () => Promise<void>;
}

/** Longer than a restart takes. */
const RECONNECT_AFTER_MS = 1_000;

export function createConnections(
  options: ConnectionsOptions,
): Pick<RelayCore, 'connect' | 'dismiss' | 'stop'> {
  const { base, onEnd, settle, ...rest } = options;
  const connections = new Set<OpenConnection>();
  let stopping: Promise<void> | undefined;

  /** Writes nothing: the next start recovers from the ledger as after a crash. */
  const stop = async (): Promise<void> => {
    const hint = frameText({ type: 'reconnect_hint', after_ms: RECONNECT_AFTER_MS }, base.now());
    for (const connection of connections) connection.hint(hint);
    await settle();
    for (const connection of [...connections]) connection.end(CLOSE_CODES.stopping, 'the relay stops');
  };

  return {
    connect: (port) => {
      const connection = openConnection({
        ...{ ...rest, port },
        connection_id: base.id('conn'),
        times: base.times,
        now: base.now,
        after: base.after,
        run: base.run,
        onError: base.onError,
        isStopping: () => stopping !== undefined,
        onEnd: (peer) => {
          connections.delete(connection);
          if (peer === undefined) return;
          base.peers.remove(peer);
          if (stopping === undefined) onEnd(peer);
        },
      });
      connections.add(connection);
      if (stopping !== undefined) connection.end(CLOSE_CODES.stopping, 'the relay stops');
      return connection;
    },
    dismiss: (device_id) => {
      for (const connection of [...connections]) {
        if (connection.identity?.device_id === device_id) connection.end(CLOSE_CODES.unauthorized, 'revoked');
      }
    },
    stop: () => {
      stopping ??= Promise.resolve().then(stop);
      return stopping;
    },
  };
}
