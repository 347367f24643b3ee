import type { Device } from '@drawbridge/relay';
import { plainText } from '../ask/plain-text.ts';
import { counted } from '../map/paint.ts';

const MAX_LABEL = 40;

/** Device names are foreign text. */
export function deviceLines(
  devices: readonly Device[],
  all: readonly Device[],
  now: number,
): readonly string[] {
  const lines = devices.map((device) => {
    const { device_id, roles } = device;
    const facts = [roles.join(', '), seen(device, now), ...giver(device, all)];
    return `${nameOf(device)}\n  ${facts.join(' · ')}\n  ${device_id}`;
  });
  return [...lines, `${counted(devices.length, 'device')}. To revoke one: drawbridge devices --revoke NAME`];
}

export const nameOf = ({ label }: Device): string => plainText(label, MAX_LABEL);

function giver({ by }: Device, all: readonly Device[]): readonly string[] {
  const found = all.find(({ device_id }) => device_id === by);
  return found === undefined ? [] : [`let in by ${nameOf(found)}`];
}

/** All active devices that it let in, transitively. */
export function letInBy({ device_id }: Device, all: readonly Device[]): readonly Device[] {
  const theirs = all.filter(({ by }) => by === device_id);
  return theirs.flatMap((each) => [...(each.revoked_at === null ? [each] : []), ...letInBy(each, all)]);
}

function seen({ last_seen_at, revoked_at }: Device, now: number): string {
  if (revoked_at !== null) return `revoked ${ago(now - revoked_at)}`;
  return last_seen_at === null ? 'never connected' : `last seen ${ago(now - last_seen_at)}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** In a readable unit. */
export function ago(ms: number): string {
  for (const [noun, size] of UNITS) if (ms >= size) return `${counted(Math.floor(ms / size), noun)} ago`;
  return 'just now';
}

/** Finds the device by id or name, preferring active ones: nothing is revoked by a guess. */
export function oneOf(devices: readonly Device[], meant: string): Device {
  const exact = devices.filter(({ device_id, label }) => device_id === meant || label === meant);
  const fitting = exact.length > 0 ? exact : devices.filter(({ device_id }) => device_id.startsWith(meant));
  const living = fitting.filter(({ revoked_at }) => revoked_at === null);
  const found = living.length > 0 ? living : fitting;
  const [one, ...others] = found;
  if (one === undefined) throw new Error(`No device is called "${meant}". See: drawbridge devices`);
  if (others.length === 0) return one;
  const ids = found.map(({ device_id }) => `\n  ${device_id}`).join('');
  throw new Error(`${counted(found.length, 'device')} match "${meant}". Give the id:${ids}`);
}
