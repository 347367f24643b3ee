import { BridgeError, CHAT_PROTOCOL_VERSION, type ChatFrame, chat } from '@drawbridge/protocol';
import type { Beat } from './beat.ts';
import { isCarried, type Perform } from './commands.ts';
import type { Foundation } from './foundation.ts';
import { createPeer, type Peer } from './peer.ts';
import type { Bus, NoteOf, PeerPort } from './ports.ts';
import { createRecentIds } from './recent-ids.ts';

/** People on followers, as the leader knows them by their forwarded commands. */
export interface RemotePeers {
  readonly asked: (note: NoteOf<'asked'>) => void;
  readonly beat: (note: NoteOf<'beat'>) => void;
  /** True while heartbeats of other nodes arrive. */
  readonly hasOthers: () => boolean;
}

interface RemotePeersOptions extends Pick<Foundation, 'base' | 'node_id' | 'post'> {
  readonly bus: Bus;
  readonly beat: Beat;
  readonly perform: Perform;
  /** A node is gone; it may have stored events without publishing them. */
  readonly onSilent: () => void;
}

/** Five heartbeats. */
const SILENT_MS = 5_000;
const REMEMBERED = 10_000;

export function createRemotePeers(options: RemotePeersOptions): RemotePeers {
  const { base, node_id, post, bus, beat, perform, onSilent } = options;
  const { remote } = base.peers;
  const asks = createRecentIds(REMEMBERED);
  const left = createRecentIds(REMEMBERED);
  const nodes = new Map<string, { readonly callOff: () => void; readonly connections: Set<string> }>();

  const alive = (from: string): Set<string> => {
    const { callOff, connections } = nodes.get(from) ?? { connections: new Set<string>() };
    callOff?.();
    const silent = base.after(SILENT_MS, () => {
      nodes.delete(from);
      for (const connection_id of connections) remote.delete(connection_id);
      if (nodes.size === 0) beat.stop();
      onSilent();
    });
    nodes.set(from, { callOff: silent, connections });
    beat.start();
    return connections;
  };

  const peerOf = ({ connection_id, identity, client_id, features }: NoteOf<'asked'>): Peer => {
    const { device_id } = identity;
    const port: PeerPort = {
      identity,
      send: (text) => {
        post.tell({ device_id, client_id, connection_id }, text, 'insist');
        return true;
      },
      drained: () => Promise.resolve(),
      close: () => {},
    };
    return createPeer({
      ...{ connection_id, port, kind: 'browser', now: base.now, onLagging: () => {} },
      hello: {
        type: 'connection_hello',
        protocol_version: CHAT_PROTOCOL_VERSION,
        peer_role: 'browser',
        client_name: 'branch',
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
      base.onFault(error);
      return undefined;
    }
  };

  return {
    asked: (note) => {
      const { connection_id, identity, ask_id, text } = note;
      const connections = alive(note.node_id);
      bus.publish({ kind: 'heard', id: ask_id, node_id });
      if (!asks.add(ask_id)) return;
      const frame = read(text);
      const isPerson = identity.roles.some((role) => role === 'owner' || role === 'person');
      if (frame === undefined || !isCarried(frame) || !isPerson) return;
      if (!left.has(connection_id)) {
        connections.add(connection_id);
        remote.add(connection_id);
      }
      const work = perform(peerOf(note), frame, text);
      if (work !== undefined) base.run(work);
    },
    beat: (note) => {
      const connections = alive(note.node_id);
      for (const connection_id of note.left) {
        left.add(connection_id);
        post.left(connection_id);
        connections.delete(connection_id);
        remote.delete(connection_id);
      }
    },
    hasOthers: () => nodes.size > 0,
  };
}
