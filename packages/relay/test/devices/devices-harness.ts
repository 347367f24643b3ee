import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Ledger } from '@drawbridge/ledger';
import { ledgerFolder, openForTest } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { createFakeClock, type FakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished } from 'vitest';
import type { CoreClock, Identity, Role } from '../../src/core/ports.ts';
import { createDevices, type Devices } from '../../src/devices/devices.ts';

export interface DevicesHarness {
  readonly folder: string;
  readonly time: FakeClock;
  readonly clock: CoreClock;
  readonly ledger: Ledger;
  readonly devices: Devices;
  readonly faults: readonly unknown[];
  /** Opens the devices again on the same ledger, like a restarted relay. */
  readonly again: () => Promise<Devices>;
  readonly add: (...roles: Role[]) => Promise<Added>;
}

interface Added {
  readonly identity: Identity;
  readonly token: string;
}

export const TODAY = Date.UTC(2026, 0, 1);

/** Devices on a real ledger, with time that only a test advances. */
export async function setUp(
  change: (ledger: Ledger) => Ledger = (ledger) => ledger,
): Promise<DevicesHarness> {
  const folder = await ledgerFolder();
  const time = createFakeClock(TODAY);
  const clock = coreClock(time);
  const ledger = change(await openForTest({ path: join(folder, 'ledger.db') }));
  const faults: unknown[] = [];
  const start = async (): Promise<Devices> => {
    const devices = await createDevices({
      ...{ ledger, clock, random: randomBytes, dataFolder: folder },
      onError: (error) => faults.push(error),
    });
    onTestFinished(devices.close);
    return devices;
  };
  const devices = await start();
  const add = async (...roles: Role[]): Promise<Added> => {
    const { token } = await devices.mint({ roles, label: roles.join('+'), by: 'machine' });
    const identity = await devices.authenticate(token);
    if (identity === undefined) throw new Error('a device that was just added is unknown');
    return { identity, token };
  };
  return { folder, time, clock, ledger, devices, faults, again: start, add };
}

export const coreClock = (time: FakeClock): CoreClock => ({
  now: () => time.now(),
  after(ms, run) {
    const handle = time.setTimeout(run, ms);
    return () => time.clearTimeout(handle);
  },
});

/** Also covers errors thrown before the first await. */
export async function expectRefusal(run: () => unknown, code: string): Promise<void> {
  await expect((async () => run())()).rejects.toMatchObject({ name: 'DeviceError', code });
}
