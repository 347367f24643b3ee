import {
  acceptPort,
  ConnectionHub,
  connectPolling,
  connectPort,
  connectWebSocket,
  directPair,
  fromMessagePort,
  type ItemLink,
} from '@drawbridge/link';
import { type LentPage, startDirect } from '@drawbridge/runtime/direct';
import { startEmbed } from '@drawbridge/runtime/embed';
import type { MatrixTransport } from '../scripts/gen/bridge-matrix-cells.ts';
import { type Agent, type Answer, openAgent } from './matrix-agent.ts';
import { MATRIX_MAP } from './matrix-elements.ts';

/** Runs inside a page as `matrix`: in the page with the bridge and in its guest frames. */

export type PageSetup =
  | { readonly host: 'direct' }
  | {
      readonly host: 'embed';
      readonly transport: MatrixTransport;
      /** For transports that need a server. */
      readonly server?: { readonly ws: string; readonly poll: string; readonly token: string };
    };

let agent: Agent | undefined;
let link: ItemLink | undefined;
let lent: LentPage | undefined;

/** Accepts a runtime's link as a connection of the bridge. */
function take(arrived: ItemLink): void {
  const connection = bridgeHere().connectRuntime({ send: arrived.send, close: arrived.close });
  arrived.onItem(connection.receive);
  arrived.onState((state) => {
    if (state.kind === 'closed') connection.close(state.error.message);
  });
}

export function openBridge(): void {
  agent = openAgent();
  const hub = new ConnectionHub({ onConnection: take });
  window.addEventListener('message', ({ ports: [port] }) => {
    const peer = { credential_id: 'page', endpoint: 'runtime' };
    if (port !== undefined) acceptPort(fromMessagePort(port), { hub, peer });
  });
}

function agentHere(): Agent {
  if (agent === undefined) throw new Error('This page has no bridge: call openBridge first.');
  return agent;
}

export const bridgeHere = (): Agent['bridge'] => agentHere().bridge;
export const ask = (call: Parameters<Agent['ask']>[0]): Promise<Answer> => agentHere().ask(call);
export const until: Agent['until'] = (runtimeId, is) => agentHere().until(runtimeId, is);

/** One end of a link whose other end is at the bridge of this page. */
export function pairHere(): ItemLink {
  const [here, there] = directPair();
  take(there);
  return here;
}

/** The page with the bridge, from any of its frames. */
const atTop = (): { pairHere: () => ItemLink; bridgeHere: () => Agent['bridge'] } =>
  Reflect.get(window.top ?? window, 'matrix');

const portToTop = (): ItemLink =>
  connectPort({
    open: () => {
      const { port1, port2 } = new MessageChannel();
      (window.top ?? window).postMessage('bridge', window.origin, [port2]);
      return fromMessagePort(port1);
    },
  });

function linkOver(setup: Extract<PageSetup, { host: 'embed' }>): ItemLink {
  const { transport, server = { ws: '', poll: '', token: '' } } = setup;
  const { token } = server;
  if (transport === 'websocket') return connectWebSocket({ url: server.ws, token });
  if (transport === 'polling') return connectPolling({ url: server.poll, token });
  return transport === 'port' ? portToTop() : atTop().pairHere();
}

/** Lends this page; returns its runtime's id. */
export function lend(setup: PageSetup, runtimeKey: string): string {
  const lending = {
    window,
    map: MATRIX_MAP,
    runtimeKey,
    expressions: { worker: '/evaluator.js', maxMs: 10_000 },
  };
  if (setup.host === 'direct') {
    const bridge = atTop().bridgeHere();
    lent = startDirect({
      ...lending,
      bridge: {
        connectRuntime: (peer) => {
          const connection = bridge.connectRuntime(peer);
          cutDirect = () => connection.close('The connection was cut.');
          return connection;
        },
      },
    });
  } else {
    link = linkOver(setup);
    const here = link;
    lent = startEmbed({ ...lending, bridge: () => here });
  }
  return lent.runtime.runtimeId;
}

let cutDirect = () => {};

/** Ends the connection without the runtime's cooperation. */
export function cut(): void {
  link?.close();
  cutDirect();
}
