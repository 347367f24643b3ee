import { createHash, createHmac } from 'node:crypto';
import { areSame } from '../devices/secret.ts';

/** Credentials shared by a Pusher server and its publishers. */
export interface PusherApp {
  readonly app_id: string;
  /** Part of the URL that clients connect to. */
  readonly key: string;
  /** Allows publishing on every channel and authorizing any client. */
  readonly secret: string;
  /** 32 bytes in base64: the encryption key of programs. Without it there are no encrypted channels. */
  readonly master_key?: string;
}

const hmacOf = ({ secret }: PusherApp, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

export const bodySignature = hmacOf;

const md5Of = (text: string): string => createHash('md5').update(text).digest('hex');

/** INT-181: authorizes one connection for one channel. */
export const channelAuth = (app: PusherApp, ...parts: readonly string[]): string =>
  `${app.key}:${hmacOf(app, parts.join(':'))}`;

/** INT-197: decrypts the events of one channel. Publishers derive the same from the master key. */
export const sharedSecret = (master_key: string, channel: string): string =>
  createHash('sha256').update(channel).update(Buffer.from(master_key, 'base64')).digest('base64');

export const isAuth = (auth: string | null | undefined, expected: string): boolean =>
  typeof auth === 'string' && areSame(auth, expected);

export interface SignedCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const WINDOW_S = 600;

/** INT-202: sorted and unencoded, whatever the URL contains. */
function signatureOf(app: PusherApp, { method, path }: SignedCall, query: URLSearchParams): string {
  const pairs = [...query].filter(([name]) => name !== 'auth_signature');
  const sorted = pairs.map(([name, value]) => `${name.toLowerCase()}=${value}`).toSorted();
  return hmacOf(app, [method, path, sorted.join('&')].join('\n'));
}

/** The problem of a call's signature, INT-202 to INT-204; undefined for a valid one. */
export function signatureProblem(
  app: PusherApp,
  call: SignedCall,
  query: URLSearchParams,
): string | undefined {
  if (query.get('auth_key') !== app.key) return 'auth_key is not the key of this app.';
  if (query.get('auth_version') !== '1.0') return 'auth_version is not 1.0.';
  const away = Math.abs(Number(query.get('auth_timestamp') ?? Number.NaN) - call.now / 1_000);
  if (!(away <= WINDOW_S)) {
    return `auth_timestamp is more than ${WINDOW_S} s away: set the clock of this machine.`;
  }
  if (!isAuth(query.get('auth_signature') ?? undefined, signatureOf(app, call, query))) {
    return 'auth_signature is wrong: sign with the secret of this app.';
  }
  if (call.body !== '' && query.get('body_md5') !== md5Of(call.body)) return 'body_md5 is not of this body.';
  return undefined;
}

export function signedQuery(app: PusherApp, call: SignedCall): string {
  const query = new URLSearchParams({
    auth_key: app.key,
    auth_timestamp: String(Math.floor(call.now / 1_000)),
    auth_version: '1.0',
    body_md5: md5Of(call.body),
  });
  query.set('auth_signature', signatureOf(app, call, query));
  return query.toString();
}
