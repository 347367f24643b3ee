import { describeLedger } from '../ledger.suite.ts';
import { postgresGround } from './ground.suite.ts';
import { openPostgresLedger } from './postgres-ledger.ts';

const ground = postgresGround();

describeLedger('PostgreSQL', async () => {
  const { url, giveBack } = await ground.borrowLedger();
  return { open: () => openPostgresLedger({ url }), remove: giveBack };
});
