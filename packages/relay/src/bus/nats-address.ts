import type { ConnectionOptions } from '@nats-io/transport-node';

const SCHEMES = new Set(['nats:', 'tls:']);

/**
 * `nats://host`, several of them with commas between, `tls://` where the line must be secret; with a user and a
 * password, or a token, as `nats://user:password@host` or `nats://token@host`: the library does not read those from a URL.
 */
export function parseNatsUrl(
  text: string,
): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'> {
  const urls = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(parseOne);
  if (urls.length === 0) throw wrong();
  const who = urls.find(({ username }) => username !== '');
  const user = decodeURIComponent(who?.username ?? '');
  const pass = decodeURIComponent(who?.password ?? '');
  return {
    servers: urls.map(({ host }) => host),
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
}

function parseOne(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.has(url.protocol) || url.host === '') throw wrong();
  return url;
}

/** Without what was given: there may be a password in it. */
const wrong = (): Error =>
  new Error('The address of the bus is none. Give it as nats://host:4222, or tls://host:4222.');
