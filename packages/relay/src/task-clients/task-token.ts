import type { IncomingMessage } from 'node:http';
import type { Identity } from '../core/ports.ts';
import type { Inviter } from '../devices/device.ts';
import type { Devices } from '../devices/devices.ts';

/** A device with this scope opens the task port and nothing else. */
const TASKS = 'tasks';
const PATHS = ['/', '/ws/tasks'];

export const isTaskPath = (path: string): boolean => PATHS.includes(path);

export const isForTasks = ({ scopes }: Identity): boolean => scopes.includes(TASKS);

/** TSK-26: an extension cannot set headers. */
export function taskTokenOf({ url = '' }: IncomingMessage): string | undefined {
  return new URLSearchParams(url.split('?')[1]).get('token') ?? undefined;
}

/** The token is part of the address that the extension gets: `ws://…/?token=…`. */
export async function mintTaskClient(
  devices: Pick<Devices, 'mint'>,
  { label, by }: { readonly label: string; readonly by: Inviter },
): Promise<{ readonly device_id: string; readonly path: string }> {
  const { device, token } = await devices.mint({ roles: ['runtime'], scopes: [TASKS], label, by });
  return { device_id: device.device_id, path: `/?token=${token}` };
}
