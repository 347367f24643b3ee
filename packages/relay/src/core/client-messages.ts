import type { Addressee, BusMessageOf } from './ports.ts';
import { createRecentIds } from './recent-ids.ts';
import type { RepeatedRequests } from './repeated-requests.ts';

/** Client messages for people who are connected to another node. */
export type ClientMessages = ReturnType<typeof createClientMessages>;

interface ClientMessagesOptions {
  readonly requests: RepeatedRequests;
  readonly id: (kind: string) => string;
}

interface ClientMessage {
  readonly delivery_id: string;
  /** Null for any connection of the client. */
  readonly connection_id: string | null;
  readonly go: () => void;
}

const REMEMBERED = 10_000;
/** Per client that no node has acknowledged yet. */
const MAX_WAITING = 256;
/** More than are lost in a row. */
const TIMES = 4;

export function createClientMessages({ requests, id }: ClientMessagesOptions) {
  const own = createRecentIds(REMEMBERED);
  const gone = createRecentIds(REMEMBERED);
  /** By client; the first message of each is in flight. */
  const queues = new Map<string, ClientMessage[]>();

  const isForNobody = ({ connection_id }: ClientMessage): boolean =>
    connection_id !== null && gone.has(connection_id);

  const next = (key: string): void => {
    const queue = queues.get(key);
    queue?.shift();
    const [message] = queue ?? [];
    if (message === undefined) queues.delete(key);
    else if (isForNobody(message)) next(key);
    else message.go();
  };

  return {
    /** Sends, as `once`, to the connections that list the feature. */
    sendFeature: (
      { device_id, client_id, connection_id }: Addressee,
      text: string,
      feature: string,
    ): void => {
      const delivery_id = id('delivery');
      own.add(delivery_id);
      const busMessage = {
        kind: 'client_message',
        delivery_id,
        device_id,
        client_id,
        connection_id,
        text,
        feature,
      } as const;
      requests.repeat(busMessage, TIMES);
    },
    /** `once`: another connection of the client already has it. Messages to one client keep their order. */
    send: (to: Addressee, text: string, how: 'once' | 'until_acked', onDelivered?: () => void): void => {
      const delivery_id = id('delivery');
      const { device_id, client_id, connection_id } = to;
      const busMessage = {
        kind: 'client_message',
        delivery_id,
        device_id,
        client_id,
        connection_id,
        text,
      } as const;
      own.add(delivery_id);
      // The acknowledging node may hold a dead connection of that client, and another node the live one.
      const atLeast = connection_id === null ? TIMES : 1;
      const key = JSON.stringify([device_id, client_id]);
      const queue = queues.get(key);
      if (how === 'once' || (queue !== undefined && queue.length >= MAX_WAITING)) {
        requests.repeat(busMessage, atLeast);
        return;
      }
      const go = (): void => {
        requests.request(delivery_id, busMessage, atLeast, (node_id) => {
          if (node_id !== undefined) onDelivered?.();
          next(key);
        });
      };
      const message: ClientMessage = { delivery_id, connection_id, go };
      if (isForNobody(message)) return;
      if (queue === undefined) {
        queues.set(key, [message]);
        go();
      } else queue.push(message);
    },
    /** Drops messages addressed only to this connection, so they do not block the client's queue. */
    left: (connection_id: string): void => {
      if (!gone.add(connection_id)) return;
      for (const [message] of [...queues.values()]) {
        if (message?.connection_id === connection_id) requests.giveUp(message.delivery_id);
      }
    },
    /** True for a message that this node published. */
    isOwn: ({ delivery_id }: BusMessageOf<'client_message'>): boolean => own.has(delivery_id),
  };
}
