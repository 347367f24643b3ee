import { hostname } from 'node:os';
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
    readonly invitations: Pick<Devices['invitations'], 'create'>;
  };
}

/** Announces the relay to local tools and to the terminal. */
export async function introduce(
  { devices, url, fingerprint }: Introduced,
  { address, print, terminal, isJson }: Audience,
): Promise<void> {
  const outside_url = phoneUrl(url, address);
  await devices.listening(url, { ...(outside_url && { outside_url }), ...(fingerprint && { fingerprint }) });
  const known = [
    `Drawbridge runs at ${url}`,
    '',
    'To pair another device: drawbridge pair. To list them:',
    'drawbridge devices. Press Ctrl-C to stop the relay.',
  ];
  // Logs are kept and read by others: only the first start leaves an owner's link there.
  if (!isJson && terminal.columns === undefined && (await hasPairedOwner(devices))) {
    print({ event: 'listening', url, fingerprint }, known);
    return;
  }
  const { pair_path, expires_at } = await devices.invitations.create({
    roles: ['owner'],
    scopes: [],
    label: `Browser on ${hostname()}`,
    by: 'machine',
  });
  const pair_url = `${outside_url ?? url}${pair_path}`;
  const isWatched = terminal.columns !== undefined;
  const link = `${outside_url ?? (await peoplesUrl(url))}${pair_path}`;
  const facts = { pair_url: link, expires_at, reachable: outside_url !== undefined, fingerprint };
  const [first = '', ...rest] = known;
  print({ event: 'listening', url, pair_url, token: devices.owner?.token, fingerprint }, [
    first,
    '',
    ...invitationLines(facts, terminal, !isWatched),
    // Interactive terminals get more output later.
    ...(isWatched ? [''] : rest),
  ]);
}

/** Not counting this machine's own device. */
async function hasPairedOwner({ list, owner }: Introduced['devices']): Promise<boolean> {
  return (await list()).some(
    ({ device_id, roles, revoked_at }) =>
      revoked_at === null && roles.includes('owner') && device_id !== owner?.device_id,
  );
}
