import { BridgeError, CHAT_PROTOCOL_VERSION, type ChatFrame, chat } from '@drawbridge/protocol';
import { isForwarded, type Perform } from './commands.ts';
import type { CoreContext } from './core-context.ts';
import type { NodeHeartbeat } from './node-heartbeat.ts';
import { createPeer, type Peer } from './peer.ts';
import type { BusMessageOf, PeerPort } from './ports.ts';
import { createRecentIds } from './recent-ids.ts';

interface RemotePeersOptions {
  readonly heartbeat: NodeHeartbeat;
  readonly perform: Perform;
  readonly onJoined: () => void;
  /** A node is gone; it may have stored events without publishing them. */
  readonly onSilent: () => void;
}

/** Five heartbeats. */
const SILENT_MS = 5_000;
const REMEMBERED = 10_000;

/** People on followers, as the leader knows them by their forwarded commands. */
export function createRemotePeers(
  context: CoreContext,
  { heartbeat, perform, onJoined, onSilent }: RemotePeersOptions,
) {
  const { node_id, clientMessages } = context;
  const { remote } = context.peers;
  const commands = createRecentIds(REMEMBERED);
  const left = createRecentIds(REMEMBERED);
  const nodes = new Map<string, { readonly cancel: () => void; readonly connections: Set<string> }>();

  const alive = (from: string): Set<string> => {
    const { cancel, connections } = nodes.get(from) ?? { connections: new Set<string>() };
    cancel?.();
    const silent = context.after(SILENT_MS, () => {
      nodes.delete(from);
      context.peers.nodes.delete(from);
      for (const connection_id of connections) remote.delete(connection_id);
      if (nodes.size === 0) heartbeat.stop();
      onSilent();
    });
    nodes.set(from, { cancel: silent, connections });
    const isNew = !context.peers.nodes.has(from);
    context.peers.nodes.add(from);
    heartbeat.start();
    if (isNew) onJoined();
    return connections;
  };

  const peerOf = ({ connection_id, identity, client_id, features }: BusMessageOf<'command'>): Peer => {
    const { device_id } = identity;
    const port: PeerPort = {
      identity,
      send: (text) => {
        clientMessages.send({ device_id, client_id, connection_id }, text, 'until_acked');
        return true;
      },
      drained: () => Promise.resolve(),
      close: () => {},
    };
    return createPeer({
      ...{ connection_id, port, kind: 'browser', now: context.now, onLagging: () => {} },
      hello: {
        type: 'connection_hello',
        protocol_version: CHAT_PROTOCOL_VERSION,
        peer_role: 'browser',
        client_name: 'follower',
        features: [...features],
        ...(client_id !== null && { client_id }),
      },
      isOpen: () => !left.has(connection_id),
    });
  };

  /** The follower has parsed the frame, but other senders on the bus may publish anything. */
  const read = (text: string): ChatFrame | undefined => {
    try {
      return chat.parse(text);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      context.onError(error);
      return undefined;
    }
  };

  return {
    command: (message: BusMessageOf<'command'>, acknowledge: (node_id: string) => void): void => {
      const { connection_id, identity, command_id, text } = message;
      const connections = alive(message.node_id);
      acknowledge(node_id);
      if (!commands.add(command_id)) return;
      const frame = read(text);
      const isPerson = identity.roles.some((role) => role === 'owner' || role === 'person');
      if (frame === undefined || !isForwarded(frame) || !isPerson) return;
      if (!left.has(connection_id)) {
        connections.add(connection_id);
        remote.add(connection_id);
      }
      const work = perform(peerOf(message), frame, text);
      if (work !== undefined) context.run(work);
    },
    heartbeat: (message: BusMessageOf<'heartbeat'>): void => {
      const connections = alive(message.node_id);
      for (const connection_id of message.left) {
        left.add(connection_id);
        clientMessages.left(connection_id);
        connections.delete(connection_id);
        remote.delete(connection_id);
      }
    },
  };
}
