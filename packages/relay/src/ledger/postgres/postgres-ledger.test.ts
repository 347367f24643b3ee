import { describeLedger } from '../../../test/ledger/ledger.contract.ts';
import { postgresHarness } from '../../../test/ledger/postgres/postgres-harness.ts';
import { openPostgresLedger } from './postgres-ledger.ts';

const harness = postgresHarness();

describeLedger('PostgreSQL', async () => {
  const { url, giveBack } = await harness.borrowLedger();
  return { open: () => openPostgresLedger({ url }), remove: giveBack };
});
