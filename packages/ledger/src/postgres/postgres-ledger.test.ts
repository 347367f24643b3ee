import { describeLedger } from '../../test/ledger.contract.ts';
import { postgresHarness } from '../../test/postgres/postgres-harness.ts';
import { openPostgresLedger } from './postgres-ledger.ts';

const harness = postgresHarness();

describeLedger('PostgreSQL', async () => {
  const { url, giveBack } = await harness.borrowLedger();
  return { open: () => openPostgresLedger({ url }), remove: giveBack };
});
