import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import type { Role } from '../../../src/core/ports.ts';
import { startRelay } from '../../../src/server/start-relay.ts';

/**
 * A relay in a separate process, which counts the requests and pieces of bodies that Node's parser handed
 * over. The only argument is `{ data, roles, secure }`; every message is answered with the counts.
 */
export interface CountingInput {
  readonly data: string;
  readonly roles: readonly Role[];
  readonly secure: boolean;
}

export interface Started {
  readonly url: string;
  readonly tokens: readonly string[];
}

export interface Counts {
  readonly requests: number;
  readonly pieces: number;
  /** Resident memory after a garbage collection. */
  readonly bytes: number;
}

let requests = 0;
let pieces = 0;
subscribe('http.server.request.start', () => {
  requests += 1;
});
const { push } = IncomingMessage.prototype;
IncomingMessage.prototype.push = function (...piece) {
  pieces += 1;
  return Reflect.apply(push, this, piece);
};

const { data, roles, secure }: CountingInput = JSON.parse(process.argv[2] ?? '{}');
const relay = await startRelay({ data, port: 0, ...(secure && { tls: 'self-signed' }) });
const tokens = await Promise.all(
  roles.map(async (role) => {
    const device = { roles: [role], scopes: [], label: role, by: 'machine' } as const;
    return (await relay.devices.mint(device)).token;
  }),
);
process.on('disconnect', () => process.exit());
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ requests, pieces, bytes: process.memoryUsage.rss() } satisfies Counts);
});
process.send?.({ url: relay.url, tokens } satisfies Started);
