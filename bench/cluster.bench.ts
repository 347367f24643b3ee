import { parseArgs } from 'node:util';
import { playAccepts } from './cluster/accepts.ts';
import { playActionCalls } from './cluster/action-calls.ts';
import { openClusterBench } from './cluster/cluster-bench.ts';
import { printCosts } from './cluster/costs.ts';
import { playFanOut } from './cluster/fan-out.ts';
import { playNodeDeath } from './cluster/node-death.ts';
import { playRevocation } from './cluster/revocation.ts';
import { benchmark } from './report.ts';

/**
 * Relays that share PostgreSQL and NATS, beside one relay on SQLite and plain inserts, in one run. All nodes,
 * the load, the database and the bus run on this machine: more nodes share its cores and cannot be faster
 * than one. `--quick` runs a small version.
 */

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const size = values.quick
  ? { ms: 1_500, watchers: 100, events: 10, calls: 200, people: 200, revoked: 10 }
  : { ms: 5_000, watchers: 500, events: 40, calls: 2_000, people: 2_000, revoked: 50 };

await benchmark(async (report) => {
  await using cluster = await openClusterBench();
  report.add(...(await playAccepts(cluster, size.ms)));
  report.add(...(await playFanOut(cluster, size.watchers, size.events)));
  report.add(...(await playActionCalls(cluster, size.calls)));
  report.add(...(await playRevocation(cluster, size.revoked)));
  await printCosts(cluster);
  report.add(...(await playNodeDeath(cluster, size.people)));
});
