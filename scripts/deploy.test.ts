import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SERVICE = fileURLToPath(new URL('../deploy/drawbridge.service', import.meta.url));
const verify = () => spawnSync('systemd-analyze', ['verify', SERVICE], { encoding: 'utf8' });

// Faults are warnings on stderr, with exit code 0.
test.skipIf(verify().error !== undefined)('systemd accepts every line of the service file', () => {
  const { status, stderr } = verify();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
