import type { Device } from '@drawbridge/relay';
import { plainText } from '../ask/plain-text.ts';
import { counted } from '../map/paint.ts';

const MAX_LABEL = 40;

/** A device's name is somebody else's word. */
export function deviceLines(devices: readonly Device[], now: number): readonly string[] {
  const lines = devices.map((device) => {
    const { device_id, label, roles } = device;
    return `${plainText(label, MAX_LABEL)}\n  ${roles.join(', ')} · ${seen(device, now)}\n  ${device_id}`;
  });
  return [...lines, `${counted(devices.length, 'device')}. drawbridge devices --revoke NAME puts one out.`];
}

function seen({ last_seen_at, revoked_at }: Device, now: number): string {
  if (revoked_at !== null) return `revoked ${ago(now - revoked_at)}`;
  return last_seen_at === null ? 'never came in' : `last here ${ago(now - last_seen_at)}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** In the unit that a person would choose. */
export function ago(ms: number): string {
  for (const [noun, size] of UNITS) if (ms >= size) return `${counted(Math.floor(ms / size), noun)} ago`;
  return 'just now';
}

/** The device that is meant: nothing is revoked by a guess. */
export function oneOf(devices: readonly Device[], meant: string): Device {
  const exact = devices.filter(({ device_id, label }) => device_id === meant || label === meant);
  const found = exact.length > 0 ? exact : devices.filter(({ device_id }) => device_id.startsWith(meant));
  const [one, ...others] = found;
  if (one === undefined) throw new Error(`No device is called "${meant}". See: drawbridge devices`);
  if (others.length === 0) return one;
  const ids = found.map(({ device_id }) => `\n  ${device_id}`).join('');
  throw new Error(`${counted(found.length, 'device')} answer to "${meant}". Say which by its id:${ids}`);
}
