import { startFaultProxy } from '@drawbridge/testbed';
import { ConnectionHub } from '../src/connection-hub.ts';
import { directPair } from '../src/direct-pair.ts';
import type { ItemLink } from '../src/link.ts';
import { serveItems } from '../src/node/item-server.ts';
import { connectPolling } from '../src/polling-client.ts';
import { acceptPort, connectPort, fromMessagePort } from '../src/port.ts';
import { connectWebSocket } from '../src/websocket-client.ts';
import type { Track } from './link.contract.ts';
import { createArrivals } from './received-log.ts';

export const TOKEN = 'token-of-runtime-1';
const BACKOFF = { minMs: 4, maxMs: 50 };
const PEER = { credential_id: 'runtime-1', endpoint: 'runtime' };

/** Real TCP through a proxy that breaks it. */
async function layTcp(connect: (address: string) => ItemLink): Promise<Track> {
  const arrivals = createArrivals();
  const hosts = new Set<string>();
  const serve = (port: number) =>
    serveItems({
      port,
      hosts,
      authorize: (token) => (token === TOKEN ? PEER.credential_id : undefined),
      onConnection: arrivals.take,
    });
  let server = await serve(0);
  const { port } = server;
  const proxy = await startFaultProxy({ target: { host: '127.0.0.1', port }, seed: 7 });
  const address = `${proxy.host}:${proxy.port}`;
  hosts.add(address);
  const client = connect(address);
  return {
    client,
    arrivals,
    // A poll that is about to start would not notice: the next byte breaks the connection too.
    drop: () => {
      const cutAfterBytes = { min: 0, max: 0 };
      proxy.setFaults({ up: { cutAfterBytes } });
      proxy.cut();
      const stop = client.onState(({ kind }) => {
        if (kind !== 'waiting') return;
        proxy.setFaults({});
        stop();
      });
    },
    dropOften: (seed) => {
      const cutAfterBytes = { min: 1_500, max: 15_000 * seed };
      const segmentBytes = { min: 1, max: 4_000 };
      proxy.setFaults({ up: { cutAfterBytes, segmentBytes }, down: { cutAfterBytes, segmentBytes } });
    },
    forget: async () => {
      proxy.pause();
      await server.close();
      server = await serve(port);
      proxy.resume();
      proxy.cut();
    },
    [Symbol.asyncDispose]: async () => {
      client.close();
      await proxy.close();
      await server.close();
    },
  };
}

export const layWebSocket = () =>
  layTcp((address) =>
    connectWebSocket({ url: `ws://${address}/ws/runtime`, token: TOKEN, backoff: BACKOFF }),
  );

export const layPolling = () =>
  layTcp((address) =>
    connectPolling({ url: `http://${address}/bridge/runtime/items`, token: TOKEN, backoff: BACKOFF }),
  );

export async function layPort(): Promise<Track> {
  const arrivals = createArrivals();
  const createHub = () => new ConnectionHub({ onConnection: arrivals.take });
  let hub = createHub();
  let drop = () => {};
  const client = connectPort({
    backoff: BACKOFF,
    open: () => {
      const { port1, port2 } = new MessageChannel();
      acceptPort(fromMessagePort(port2), { hub, peer: PEER });
      drop = () => port1.close();
      return fromMessagePort(port1);
    },
  });
  return {
    client,
    arrivals,
    drop: () => drop(),
    forget: async () => {
      hub.close();
      hub = createHub();
    },
    [Symbol.asyncDispose]: async () => {
      client.close();
      hub.close();
    },
  };
}

export async function layDirect(): Promise<Track> {
  const [client, server] = directPair();
  const arrivals = createArrivals();
  arrivals.take(server);
  return { client, arrivals, [Symbol.asyncDispose]: async () => client.close() };
}
