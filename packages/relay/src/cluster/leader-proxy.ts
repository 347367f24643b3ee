import { type ClientRequest, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { REFUSALS, type Refusal, refusalBody } from '../server/guard/refusal.ts';
import { type NodeClient, openNodeClient } from './node-client.ts';
import { PROXY_HEADERS, type ProxiedRequest, type ProxySignature } from './proxy-signature.ts';

/** Leader proxy: pipes HTTP requests and sockets to the leader. */
export interface LeaderProxy {
  readonly request: (incoming: IncomingMessage, outgoing: ServerResponse, proxied: ProxiedRequest) => void;
  readonly upgrade: (
    incoming: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    proxied: ProxiedRequest,
  ) => void;
  /** Sets the leader's address. Requests to another leader end, because it will not answer. */
  readonly leaderAt: (url: string | undefined) => void;
  /** Whether the leader answers. */
  readonly isAnswered: () => Promise<boolean>;
  readonly close: () => void;
}

export interface LeaderProxyOptions {
  readonly signature: ProxySignature;
  readonly onProxied: (kind: 'request' | 'upgrade') => void;
  readonly onRefused: () => void;
}

/** Headers of one connection (RFC 9110, 7.6.1); the length and encoding of the body are set again. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
  ],
]);
const REFUSAL_HEADERS: ReadonlySet<string> = new Set(['content-type', 'retry-after']);
const RETRY_AFTER_S = 1;
const ANSWER_MS = 1_000;

export function createLeaderProxy({ signature, onProxied, onRefused }: LeaderProxyOptions): LeaderProxy {
  let connection: { readonly url: string; readonly to: NodeClient } | undefined;
  const open = new Set<() => void>();

  const until = (ended: () => void): (() => void) => {
    open.add(ended);
    return () => void open.delete(ended);
  };

  const headersOf = (
    { rawHeaders, headers }: IncomingMessage,
    proxied: ProxiedRequest,
    isUpgrade: boolean,
  ): string[] => {
    const forwarded = pairs(rawHeaders).filter(([name]) => {
      const lower = name.toLowerCase();
      return !PROXY_HEADERS.has(lower) && !HOP_BY_HOP.has(lower);
    });
    const own = Object.entries(signature.headers(proxied));
    const hop: [string, string][] = isUpgrade
      ? [
          ['connection', 'upgrade'],
          ['upgrade', headers.upgrade ?? 'websocket'],
        ]
      : [];
    // Without a length the body is sent in chunks; without a body there is no header.
    if (!isUpgrade && headers['transfer-encoding'] !== undefined) hop.push(['transfer-encoding', 'chunked']);
    return [...forwarded, ...own, ...hop].flat();
  };

  const ask = (
    incoming: IncomingMessage,
    proxied: ProxiedRequest,
    isUpgrade: boolean,
  ): ClientRequest | undefined => {
    const { method, url = '/' } = incoming;
    return connection?.to.request({
      ...(method !== undefined && { method }),
      path: url,
      headers: headersOf(incoming, proxied, isUpgrade),
    });
  };

  const request: LeaderProxy['request'] = (incoming, outgoing, proxied) => {
    const asked = ask(incoming, proxied, false);
    if (asked === undefined) {
      onRefused();
      return unavailable(outgoing);
    }
    onProxied('request');
    const fail = (): void => {
      if (!outgoing.headersSent) unavailable(outgoing);
      else outgoing.destroy();
    };
    const over = until(() => {
      asked.destroy();
      fail();
    });
    asked.on('error', fail);
    asked.on('response', (response) => {
      const headers = pairs(response.rawHeaders).filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
      outgoing.writeHead(response.statusCode ?? 502, headers.flat());
      // An event stream may stay silent for long, so the client must see that it began.
      outgoing.flushHeaders();
      response.on('error', fail);
      response.pipe(outgoing);
    });
    asked.on('close', over);
    outgoing.on('close', () => {
      over();
      asked.destroy();
    });
    incoming.on('error', () => asked.destroy());
    incoming.pipe(asked);
  };

  const upgrade: LeaderProxy['upgrade'] = (incoming, socket, head, proxied) => {
    const asked = ask(incoming, proxied, true);
    if (asked === undefined) {
      onRefused();
      return refuseUpgrade(socket, REFUSALS.failed);
    }
    onProxied('upgrade');
    let over = until(() => {
      asked.destroy();
      socket.destroy();
    });
    const ended = (): void => {
      over();
      asked.destroy();
    };
    socket.on('close', ended);
    asked.on('error', () => refuseUpgrade(socket, REFUSALS.failed));
    asked.on('response', (response) => {
      const { statusCode = 502, rawHeaders } = response;
      const headers = pairs(rawHeaders).filter(([name]) => REFUSAL_HEADERS.has(name.toLowerCase()));
      text(response)
        .then(
          (body) => endUpgrade(socket, statusCode, headers, body),
          () => refuseUpgrade(socket, REFUSALS.failed),
        )
        .finally(over);
    });
    asked.on('upgrade', (response, upstream, first) => {
      over();
      over = until(() => {
        upstream.destroy();
        socket.destroy();
      });
      socket.write(headText(response));
      socket.write(first);
      upstream.write(head);
      join(socket, upstream);
      join(upstream, socket);
      if (socket.destroyed) upstream.destroy();
    });
    asked.end();
  };

  const endAll = (): void => {
    for (const end of [...open]) end();
    connection?.to.close();
    connection = undefined;
  };

  return {
    request,
    upgrade,
    leaderAt(url) {
      if (connection?.url === url) return;
      endAll();
      if (url !== undefined) connection = { url, to: openNodeClient(url) };
    },
    isAnswered: () =>
      new Promise((resolve) => {
        const asked = connection?.to.request({ method: 'GET', path: '/livez' });
        if (asked === undefined) return resolve(false);
        asked.setTimeout(ANSWER_MS, () => asked.destroy());
        asked.on('response', (response) => resolve(response.resume().statusCode === 200));
        asked.on('error', () => resolve(false));
        asked.on('close', () => resolve(false));
        asked.end();
      }),
    close: endAll,
  };
}

/** `pipe` bounds memory for a slow reader, but does not close one end when the other is gone. */
function join(from: Duplex, to: Duplex): void {
  from.on('error', () => {});
  from.on('close', () => to.destroy());
  from.pipe(to);
}

const pairs = (raw: readonly string[]): [name: string, value: string][] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

function headText({ statusCode = 101, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const lines = pairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`;
}

const NO_LEADER = {
  error: { code: 'unavailable', message: 'No node is the leader right now. Try again in a second.' },
};

export function unavailable(outgoing: ServerResponse): void {
  outgoing
    .writeHead(503, { 'content-type': 'application/json', 'retry-after': String(RETRY_AFTER_S) })
    .end(JSON.stringify(NO_LEADER));
}

export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const { status } = refusal;
  const retry: [string, string][] =
    status === 503 || status === 429 ? [['Retry-After', String(RETRY_AFTER_S)]] : [];
  endUpgrade(socket, status, [['Content-Type', 'application/json'], ...retry], refusalBody(refusal));
}

function endUpgrade(
  socket: Duplex,
  status: number,
  headers: readonly (readonly [name: string, value: string])[],
  body: string,
): void {
  if (socket.destroyed || socket.writableEnded) return;
  const lines = [...headers, ['Connection', 'close'], ['Content-Length', String(Buffer.byteLength(body))]];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}
