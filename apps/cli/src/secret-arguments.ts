import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Terminal, UsageError } from './command.ts';

/** Every user of the machine can read command lines in the process list, so tokens are refused there. */
export function refuseTokenArgument(value: string | undefined): void {
  if (value === undefined || value === '-') return;
  throw new UsageError(
    'A token on the command line shows in the process list. Put it in DRAWBRIDGE_TOKEN or a file (--token-file FILE), or pipe it in (--token -).',
  );
}

/** The same for a pairing link, whose secret is behind `#`. */
export function refuseLinkArgument(option: string, address: string | undefined): void {
  if (address === undefined || !/#.*pair=/.test(address)) return;
  throw new UsageError(
    `A pairing link in ${option} shows in the process list. Pipe it in (--token -), or put it in DRAWBRIDGE_TOKEN or a file (--token-file FILE).`,
  );
}

interface TokenOptions {
  readonly token: string | undefined;
  readonly 'token-file': string | undefined;
}

/** The token or pairing link from a file, from standard input (`--token -`), or from `DRAWBRIDGE_TOKEN`. */
export async function readToken(
  options: TokenOptions,
  stdin: Terminal['stdin'],
): Promise<string | undefined> {
  refuseTokenArgument(options.token);
  const file = options['token-file'];
  if (file !== undefined && options.token !== undefined)
    throw new UsageError('--token-file and --token - are two places for one token. Use one.');
  if (file === undefined && options.token === undefined) return process.env['DRAWBRIDGE_TOKEN'];
  const token = (file === undefined ? await text(stdin) : await readTokenFile(file)).trim();
  if (/^\S+$/.test(token)) return token;
  throw new UsageError(`${file ?? 'Standard input'} has no token: one line is expected.`);
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`--token-file ${file} cannot be read.`);
  }
}

/** Refuses an address with a password on the command line. A user name alone is fine, except where it is a token. */
export function refusePassword(
  option: string,
  address: string | undefined,
  way: { readonly instead: string; readonly userIsSecret?: boolean },
): void {
  if (address === undefined || !hasPassword(address, way.userIsSecret)) return;
  throw new UsageError(
    `A password in ${option} shows in the process list. Leave it out and put it in ${way.instead}.`,
  );
}

/** By pattern: drivers accept addresses that `URL` does not parse, such as a `/` in a password. */
function hasPassword(address: string, userIsSecret = false): boolean {
  const beforeHost = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(.*)@/is.exec(address)?.[1] ?? '';
  const isSecret = userIsSecret ? beforeHost !== '' : beforeHost.includes(':');
  return isSecret || queryNames(address).some((name) => /^(?:ssl)?pass(?:word)?$/i.test(name));
}

/** Decoded, as drivers do. */
const queryNames = (address: string): readonly string[] => [
  ...new URLSearchParams(/\?(.*)$/s.exec(address)?.[1] ?? '').keys(),
];
