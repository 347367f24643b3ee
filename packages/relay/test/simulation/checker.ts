import { LedgerError } from '@drawbridge/ledger';
import { checkAgentActions } from './agent-actions-check.ts';
import { readFacts } from './facts.ts';
import { checkLedger } from './ledger-check.ts';
import { checkScreens } from './screen-check.ts';
import type { Run } from './simulation.ts';
import { checkStream } from './stream-check.ts';

/** Violations of a run, from its clients' logs and the disk alone. */
export async function check(run: Run): Promise<readonly string[]> {
  const facts = await readFacts(run);
  const logs = [...run.browsers, ...run.proxies, run.unauthenticated].map(({ log }) => log);
  return [
    ...run.relay.log.faults
      .filter((fault) => !(fault instanceof LedgerError))
      .map((fault) => `fault: ${fault}`),
    ...logs.flatMap(({ unreadable }) => unreadable),
    ...checkLedger(run, facts),
    ...checkAgentActions(run, facts),
    ...run.browsers.flatMap((browser) =>
      checkStream(browser, facts, !run.revoked.has(browser.traits.device_id)),
    ),
    ...checkScreens(run, facts),
  ];
}
