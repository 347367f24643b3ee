import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as passed } from 'node:timers/promises';
import { openSqliteLedger } from '@drawbridge/ledger';
import { systemClock } from '@drawbridge/link';
import { type CallArguments, type ReplyTo, type RouteName, requestOf } from '@drawbridge/protocol/http-call';
import { createDevices, type Device, type Role, readOwnerFile } from '@drawbridge/relay';
import { pinnedConnection, StrangeRelay } from './pinned-connection.ts';

export interface NewDevice {
  readonly roles: readonly Role[];
  readonly label: string;
  /** `session:ID`: a guest of these conversations alone. */
  readonly scopes?: readonly string[];
}

/** The relay of a data folder, for its owner on this machine. */
export interface LocalRelay {
  /** Undefined while stopped. */
  readonly url: string | undefined;
  /** Address for other machines, while running. */
  readonly outside_url: string | undefined;
  /** Certificate fingerprint, while running with TLS. */
  readonly fingerprint: string | undefined;
  readonly mint: (order: NewDevice) => Promise<{ readonly device_id: string; readonly token: string }>;
  readonly invite: (order: NewDevice) => Promise<{ readonly pair_path: string; readonly expires_at: number }>;
  readonly list: () => Promise<readonly Device[]>;
  readonly rename: (device_id: string, label: string) => Promise<void>;
  readonly revoke: (device_id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A running relay, as its owner. */
export interface RunningRelay {
  readonly url: string;
  /** Address for other machines, if any. */
  readonly outside_url: string | undefined;
  /** SHA-256 of its certificate: identifies the relay under any name. */
  readonly fingerprint: string | undefined;
  /** Calls a route by its name in the reference. The reply is not validated: our own relay of this version. */
  readonly call: <Name extends RouteName>(
    name: Name,
    ...given: CallArguments<Name>
  ) => Promise<ReplyTo<Name>>;
  /** For streamed answers. */
  readonly open: (path: string) => Promise<IncomingMessage>;
}

/** The relay answered with an error. */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Uses the running relay, or opens its stores directly. */
export async function openLocalRelay(folder: string): Promise<LocalRelay> {
  const running = await findRunningRelay(folder);
  return running === undefined ? stoppedRelay(folder) : devicesOf(running);
}

export async function openRunningRelay(folder: string, patience?: Patience): Promise<RunningRelay> {
  const running = await findRunningRelay(folder, patience);
  if (running !== undefined) return running;
  throw new Error(`No relay runs with the folder ${folder}. Start it: drawbridge up`);
}

export interface Patience {
  /** How long a relay that is there may take to answer. */
  readonly waitMs?: number;
  /** How long a call may go without an answer. */
  readonly answerMs?: number;
  /** Called once, when it has not answered at the first try. */
  readonly onWaiting?: (line: string) => void;
}

/** Longer than a relay takes to stop everything, also under load. */
const ANSWER_MS = 30_000;
const HEALTH_MS = 3_000;
const PAUSE_MS = 250;

/** Undefined where none listens. Throws where something else does, or where the relay does not answer in time. */
export async function findRunningRelay(
  folder: string,
  { waitMs = 30_000, answerMs = ANSWER_MS, onWaiting }: Patience = {},
): Promise<RunningRelay | undefined> {
  const owner = await readOwnerFile(folder);
  if (owner?.url === undefined) return undefined;
  const { url, token, outside_url } = owner;
  // By TLS where it has a certificate: plain, another program at its port could ask for the token.
  const isByTls = url.startsWith('https:') || owner.fingerprint !== undefined;
  const fingerprint = isByTls ? (owner.fingerprint ?? (await madeFingerprint(folder))) : undefined;

  const request = (method: string, path: string, body?: object, ms = answerMs) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      };
      const pinned = isByTls && { createConnection: pinnedConnection(url, fingerprint, ms) };
      const address = `${url}${path}`.replace(/^https:/, 'http:');
      const sent = requestByHttp(address, { method, headers, timeout: ms, ...pinned }, resolve);
      sent.on('timeout', () => sent.destroy(new Error(`The relay at ${url} does not answer. Try again.`)));
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });

  const checked = async (response: IncomingMessage): Promise<IncomingMessage> => {
    if (response.statusCode !== undefined && response.statusCode < 400) return response;
    throw new RelayRefusal(JSON.parse(await text(response)).error.message, response.statusCode ?? 0);
  };

  const look = (): Promise<'healthy' | 'silent' | 'none'> =>
    request('GET', '/healthz', undefined, HEALTH_MS).then(
      (response) => (response.resume().statusCode === 200 ? 'healthy' : 'none'),
      (error: unknown) => {
        if (error instanceof StrangeRelay) throw error;
        return isNobody(error) ? 'none' : 'silent';
      },
    );
  const until = performance.now() + waitMs;
  let state = await look();
  if (state === 'silent' && waitMs > 0) {
    onWaiting?.(`The relay at ${url} does not answer yet. Trying for ${waitMs / 1_000} s.`);
  }
  while (state === 'silent' && performance.now() < until) {
    await passed(PAUSE_MS);
    state = await look();
  }
  if (state === 'none') return undefined;
  if (state === 'silent') {
    throw new Error(`The relay at ${url} runs, but does not answer. Try again, or end its process.`);
  }
  return {
    ...{ url, outside_url, fingerprint },
    async call(name, ...[given]) {
      const { method, path, body } = requestOf(name, given);
      return JSON.parse((await text(await checked(await request(method, path, body)))) || 'null');
    },
    async open(path) {
      const response = await checked(await request('GET', path));
      // A stream may be silent for long: the machine slept, or a person thinks.
      response.socket.setTimeout(0);
      return response;
    },
  };
}

/** Nothing listens there: a relay that is only overloaded still accepts connections. */
const isNobody = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/** Fingerprint of the relay's self-signed certificate. */
async function madeFingerprint(folder: string): Promise<string | undefined> {
  const pem = await readFile(join(folder, 'tls', 'cert.pem')).catch(() => undefined);
  return pem && new X509Certificate(pem).fingerprint256;
}

function devicesOf({ url, outside_url, fingerprint, call }: RunningRelay): LocalRelay {
  return {
    ...{ url, outside_url, fingerprint },
    mint: (body) => call('POST /api/devices', { body }),
    invite: (body) => call('POST /api/pair/invite', { body }),
    list: async () => (await call('GET /api/devices')).devices,
    async rename(device_id, label) {
      await call('PATCH /api/devices/{device_id}', { device_id, body: { label } });
    },
    revoke: (device_id) => call('DELETE /api/devices/{device_id}', { device_id }),
    close: async () => {},
  };
}

async function stoppedRelay(folder: string): Promise<LocalRelay> {
  const ledger = await openSqliteLedger({ path: join(folder, 'ledger.db') });
  const devices = await createDevices({
    ledger,
    clock: systemClock,
    random: randomBytes,
    dataFolder: folder,
  });
  const by = 'machine';
  return {
    ...{ url: undefined, outside_url: undefined, fingerprint: undefined },
    async mint(order) {
      const { device, token } = await devices.mint({ ...order, by });
      return { device_id: device.device_id, token };
    },
    invite: (order) => devices.invitations.create({ scopes: [], ...order, by }),
    list: devices.list,
    rename: (device_id, label) => devices.rename(device_id, label, by),
    revoke: (device_id) => devices.revoke(device_id, by),
    async close() {
      devices.close();
      await ledger.close();
    },
  };
}
