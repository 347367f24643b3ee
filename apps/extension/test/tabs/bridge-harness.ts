import { createServer } from 'node:http';
import { type Bridge, createBridge } from '@drawbridge/bridge';
import { ConnectionHub, systemClock } from '@drawbridge/link';
import { acceptWebSocket, bearerOf, pickSubprotocol } from '@drawbridge/link/node';
import type { Asker } from '@drawbridge/protocol';
import { listenOnLoopback } from '@drawbridge/testbed';
import { WebSocketServer } from 'ws';
import type { ExtensionHarness } from '../extension-harness.ts';

/** A test bridge, paired with the extension without a relay. */
export interface BridgeHarness extends AsyncDisposable {
  readonly bridge: Bridge;
  /** Number of map requests. */
  readonly mapsAsked: () => number;
  /** Stores its address in the extension, as pairing does. */
  readonly pair: (harness: ExtensionHarness) => Promise<void>;
}

export async function startBridgeHarness(asker: Asker, map?: object): Promise<BridgeHarness> {
  let calls = 0;
  let mapsAsked = 0;
  const bridge = createBridge({
    clock: systemClock,
    ids: (kind) => `${kind}-${++calls}`,
  });
  const token = crypto.randomUUID();
  const hub = new ConnectionHub({
    onConnection(link, { credential_id }) {
      const connection = bridge.connectRuntime({
        ...{ send: link.send, close: link.close, owner: credential_id, asker },
      });
      link.onItem((item) => connection.receive(item));
      link.onState((state) => {
        if (state.kind === 'closed') connection.close(state.error.message);
      });
    },
  });
  const server = createServer((request, response) => {
    const isAsked = request.url?.startsWith('/api/maps/for') === true;
    if (isAsked) mapsAsked++;
    const isMap = isAsked && map !== undefined;
    response.writeHead(isMap ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isMap ? { map, trust: 'private' } : {}));
  });
  const sockets = new WebSocketServer({ server, path: '/ws/runtime', handleProtocols: pickSubprotocol });
  sockets.on('connection', (socket, request) => {
    if (bearerOf(request) === token)
      acceptWebSocket(socket, { hub, peer: { credential_id: 'extension', endpoint: 'runtime' } });
    else socket.close(4401);
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    bridge,
    mapsAsked: () => mapsAsked,
    async pair(harness) {
      const pairing = { url, token, deviceId: 'extension', name: 'Test' };
      await harness.inExtension(async (value) => chrome.storage.local.set({ pairing: value }), pairing);
      // The pairing is read at start.
      await harness.killWorker();
      await harness.until(({ relay }) => relay.kind !== 'unpaired');
    },
    async [Symbol.asyncDispose]() {
      bridge.close();
      hub.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
