import { hostname } from 'node:os';
import type { ReplyTo } from '@drawbridge/protocol/http-call';
import type { Devices } from '@drawbridge/relay';
import type { Terminal } from '../command.ts';
import { invitationLines } from './invitation-words.ts';
import { peoplesUrl } from './own-name.ts';
import { phoneUrl, type RelayAddress } from './reach.ts';

export type Print = (event: Record<string, unknown>, lines: readonly string[]) => void;

interface Audience {
  readonly address: RelayAddress;
  readonly print: Print;
  readonly terminal: Terminal;
  readonly isJson: boolean;
}

/** A relay to introduce, alone or one of several nodes. */
export interface Introduced {
  readonly url: string;
  readonly fingerprint: string | undefined;
  readonly devices: Pick<Devices, 'listening' | 'list' | 'owner'> & {
    readonly invitations: {
      readonly create: (
        order: Parameters<Devices['invitations']['create']>[0],
      ) => Promise<ReplyTo<'POST /api/pair/invite'>>;
    };
  };
}

/** Announces the relay to local tools and to the terminal. */
export async function introduce(
  { devices, url, fingerprint }: Introduced,
  { address, print, terminal, isJson }: Audience,
): Promise<void> {
  const outside_url = phoneUrl(url, address);
  await devices.listening(url, { ...(outside_url && { outside_url }), ...(fingerprint && { fingerprint }) });
  const places = [
    `Drawbridge runs at ${url}`,
    ...(outside_url === undefined ? [] : [`and, for your other devices, at ${outside_url}`]),
  ];
  const known = [
    ...places,
    '',
    'To pair another device: drawbridge pair. To list them:',
    'drawbridge devices. Press Ctrl-C to stop the relay.',
  ];
  // Logs are kept and read by others: only the first start leaves an owner's link there.
  const isPaired = await hasPairedOwner(devices);
  if (!isJson && terminal.columns === undefined && isPaired) {
    print({ event: 'listening', url, outside_url, fingerprint }, known);
    return;
  }
  const invite = (label: string) =>
    devices.invitations.create({ roles: ['owner'], scopes: [], label, by: 'machine' });
  const here = `Browser on ${hostname()}`;
  const isWatched = terminal.columns !== undefined;
  const own = async () => {
    const { pair_path, expires_at } = await invite(here);
    const pair_url = `${await peoplesUrl(url)}${pair_path}`;
    return {
      pair_url: `${url}${pair_path}`,
      lines: invitationLines(
        { pair_url, expires_at, reachable: false },
        terminal,
        !isWatched && !outside_url,
      ),
    };
  };
  const outside = async (base: string) => {
    const { pair_path, expires_at } = await invite('Phone');
    const pair_url = `${base}${pair_path}`;
    const facts = { pair_url, expires_at, reachable: true, fingerprint };
    return { pair_url, lines: invitationLines(facts, terminal, false) };
  };
  // Behind a proxy the relay has one address for people, and no certificate.
  const isBoth = outside_url !== undefined && fingerprint !== undefined && !isPaired && !isJson;
  const first = isBoth ? [...(await own()).lines, ''] : [];
  const last = outside_url === undefined ? await own() : await outside(outside_url);
  const token = devices.owner?.token;
  print({ event: 'listening', url, outside_url, pair_url: last.pair_url, token, fingerprint }, [
    ...places,
    '',
    ...first,
    ...last.lines,
    // Interactive terminals get more output later.
    ...(isWatched ? [''] : known.slice(places.length)),
  ]);
}

/** Not counting this machine's own device. */
async function hasPairedOwner({ list, owner }: Introduced['devices']): Promise<boolean> {
  return (await list()).some(
    ({ device_id, roles, revoked_at }) =>
      revoked_at === null && roles.includes('owner') && device_id !== owner?.device_id,
  );
}
