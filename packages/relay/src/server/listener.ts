import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, isIPv6, type Socket } from 'node:net';
import { isLoopback } from './guard/credentials.ts';
import { isWebSocket } from './guard/open-paths.ts';
import type { ParseGuard } from './guard/parse-guard.ts';
import type { GuardOptions } from './guard/request-origin.ts';
import type { RelayOptions } from './options.ts';
import type { Certificate } from './tls.ts';

/** Closes a socket that sends nothing, or one byte at a time. */
const HEADERS_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

export function refuseOpenAddress(host: string, { tls, trustedProxy = false }: RelayOptions): void {
  if (isLoopback(host) || tls !== undefined || trustedProxy) return;
  throw new Error(
    `Refusing to listen on ${host}: others could read along, tokens included. Give it TLS (a certificate, or a ` +
      'self-signed one), say that a proxy with TLS stands in front, or listen on 127.0.0.1.',
  );
}

export interface ListenOptions {
  readonly certificate: Certificate | undefined;
  readonly parsing: ParseGuard;
}

export interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Ends connections without a finished TLS handshake: `server.close` waits for them, and closes none. */
  readonly dropHandshakes: () => void;
}

export async function listen(
  { certificate, parsing }: ListenOptions,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listener> {
  const options = {
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: HEADERS_MS / 2,
    maxHeaderSize: MAX_HEADER_BYTES,
    shouldUpgradeCallback: isWebSocket,
    IncomingMessage: parsing.IncomingMessage,
  };
  const server =
    certificate === undefined ? createServer(options) : createSecureServer({ ...options, ...certificate });
  parsing.watch(server, certificate === undefined ? 'connection' : 'secureConnection');
  if (certificate !== undefined) acceptPlainFromHere(server);
  const dropHandshakes = certificate === undefined ? () => {} : watchHandshakes(server);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new Error(
      `Port ${port} of ${host} is taken by another program. Choose another port, or 0 for any that is free.`,
      { cause: error },
    );
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no TCP port.');
  for (const name of loopbacksBeside(host, certificate !== undefined)) {
    if (await holds(server, name, address.port)) continue;
    server.close();
    if (port === 0) return listen({ certificate, parsing }, { host, port });
    throw new Error(
      `Port ${port} of ${name} is taken by another program, which a browser would take for the relay at http://localhost:${port}. End it, or choose another port.`,
    );
  }
  return { server, port: address.port, dropHandshakes };
}

/** First byte of every TLS handshake: https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const HANDSHAKE = 22;

const USE_HTTPS = `HTTP/1.1 400 Bad Request\r
Content-Type: text/plain; charset=utf-8\r
Connection: close\r
\r
Put https:// in front of the address: this relay answers other machines over TLS only.
`;

/**
 * Serves plain HTTP to this machine on the port of the TLS server, so that tabs, agents and proxies that know
 * the relay by its http address stay connected when it is opened to the network.
 */
function acceptPlainFromHere(server: Server): void {
  const [handshake] = server.listeners('connection');
  if (handshake === undefined) throw new Error('Node does not start TLS in a listener.');
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    const destroy = (): void => void socket.destroy();
    socket.on('error', destroy).setTimeout(HEADERS_MS, destroy);
    socket.once('data', (bytes) => {
      socket.off('error', destroy).off('timeout', destroy).setTimeout(0).pause();
      if (bytes[0] !== HANDSHAKE && !isLoopback(socket.remoteAddress ?? '')) {
        socket.on('error', destroy).end(USE_HTTPS, destroy);
        return;
      }
      socket.unshift(bytes);
      if (bytes[0] === HANDSHAKE) Reflect.apply(handshake, server, [socket]);
      else server.emit('secureConnection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}

/** A TLS socket and its TCP socket have the same remote port. */
function watchHandshakes(server: Server): () => void {
  const pending = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    pending.set(key, socket);
    socket.once('close', () => pending.get(key) === socket && pending.delete(key));
  });
  server.on('secureConnection', (socket: Socket) => pending.delete(keyOf(socket)));
  return () => {
    for (const socket of pending.values()) socket.destroy();
  };
}

const IPV4_LOOPBACK = '127.0.0.1';
const IPV6_LOOPBACK = '::1';

/** Loopback addresses that a server on `host` does not have by itself. */
function loopbacksBeside(host: string, hasTls: boolean): readonly string[] {
  if (host === IPV4_LOOPBACK) return [IPV6_LOOPBACK];
  if (!hasTls || isLoopback(host) || host === '::') return [];
  return isWildcard(host) ? [IPV6_LOOPBACK] : [IPV4_LOOPBACK, IPV6_LOOPBACK];
}

/**
 * Browsers try `[::1]` first for `localhost`: a program with our port there would have the web app's origin,
 * storage and key. False when another program holds it.
 */
async function holds(server: Server, host: string, port: number): Promise<boolean> {
  const twin = createTcpServer((socket) => server.emit('connection', socket));
  twin.listen({ host, port, ipv6Only: true });
  try {
    await once(twin, 'listening');
  } catch (error) {
    // Without IPv6 no program can hold it.
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  }
  twin.unref();
  server.once('close', () => twin.close());
  return true;
}

/**
 * A name for people's links: no other program of the machine shares its cookies unless it uses this exact
 * name.
 */
export const OWN_NAME = 'drawbridge.localhost';

/** Hosts we are reached under, besides the loopback names with our port. */
function hostsOf(
  { hosts = [] }: RelayOptions,
  bound: { readonly host: string; readonly port: number; readonly secure: boolean },
): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]', OWN_NAME];
  if (!isWildcard(bound.host)) names.push(bracketed(bound.host));
  const own = [...names, ...hosts.filter((name) => !hasPort(name))].map((name) => `${name}:${bound.port}`);
  // A browser leaves out its scheme's default port.
  return new Set([...hosts, ...own, ...(bound.port === (bound.secure ? 443 : 80) ? names : [])]);
}

const hasPort = (name: string): boolean => /:\d+$/.test(name) && !name.endsWith(']');

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

interface Bound {
  readonly host: string;
  readonly port: number;
}

export const guardOf = (options: RelayOptions, { host, port }: Bound): GuardOptions => ({
  port,
  hosts: hostsOf(options, { host, port, secure: options.tls !== undefined }),
  trustedProxy: options.trustedProxy === true,
  origins: new Set(options.origins),
});

/** Address at which other nodes reach this one. */
export const listenUrl = ({ tls }: RelayOptions, { host, port }: Bound): string =>
  `${tls === undefined ? 'http' : 'https'}://${isWildcard(host) ? IPV4_LOOPBACK : bracketed(host)}:${port}`;

/** Address for programs of this machine: the same, whether other machines are let in or not. */
export const ownUrl = (options: RelayOptions, bound: Bound): string =>
  options.tls === undefined || isLoopback(bound.host)
    ? listenUrl(options, bound)
    : `http://${IPV4_LOOPBACK}:${bound.port}`;
