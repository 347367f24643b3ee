import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledgerFolder } from '../../test/sqlite/sqlite-harness.ts';
import { openStorePort } from './store-port.ts';

test('refuses a value that cannot be cloned to the thread, and the next request gets its own answer', async () => {
  const path = join(await ledgerFolder(), 'ledger.db');
  const { ask } = await openStorePort({ path, maxBytes: 2 ** 30, newEpoch: false });
  const refused = ask({ do: 'read', name: 'session', args: [() => {}] });
  const devices = ask({ do: 'read', name: 'devices', args: [] });
  const session = ask({ do: 'read', name: 'session', args: ['nowhere'] });
  await expect(refused).rejects.toThrow('could not be cloned');
  expect(await Promise.all([devices, session])).toEqual([[], undefined]);
  await ask({ do: 'close' });
});
