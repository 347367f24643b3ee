import type { Socket } from 'node:net';
import { carry, type DirectionSettings } from './direction.ts';

/** `up` is from the client to the target, `down` the way back. */
export type Direction = 'up' | 'down';

export interface ProxiedConnection {
  /** Resolves when both sockets are closed, for any reason. */
  readonly closed: Promise<unknown>;
  destroy(): void;
}

export function joinSockets(
  client: Socket,
  target: Socket,
  directions: Record<Direction, DirectionSettings>,
  onCut: () => void,
): ProxiedConnection {
  const destroy = () => {
    client.destroy();
    target.destroy();
  };
  const run = async (from: Socket, to: Socket, direction: DirectionSettings): Promise<void> => {
    try {
      if ((await carry(from, to, direction)) === 'ended') return;
      onCut();
    } catch {
      // One side's reset is the other side's close; the error itself is irrelevant.
    }
    destroy();
  };
  const closed = Promise.all([client, target].map(socketClosed));
  void run(client, target, directions.up);
  void run(target, client, directions.down);
  return { closed, destroy };
}

function socketClosed(socket: Socket): Promise<void> {
  socket.setNoDelay(true);
  // An error after the last read would otherwise end the process; 'close' follows it.
  socket.on('error', () => {});
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
