import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { playAccepts } from './cluster/accepts.ts';
import { playActionCalls } from './cluster/action-calls.ts';
import { printCosts } from './cluster/costs.ts';
import { playFanOut } from './cluster/fan-out.ts';
import { openGround } from './cluster/ground.ts';
import { playNodeDeath } from './cluster/node-death.ts';
import { printVerdicts } from './page/verdicts.ts';

/**
 * Relays that share PostgreSQL and NATS, beside one relay on SQLite and plain inserts, in one run. All of them, the load, the
 * database and the bus are programs of this one machine: more nodes share its cores, and cannot be faster than one. `--quick` plays
 * it small.
 */

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const size = values.quick
  ? { ms: 1_500, watchers: 100, events: 10, calls: 200, people: 200 }
  : { ms: 5_000, watchers: 500, events: 40, calls: 2_000, people: 2_000 };

await using ground = await openGround();
console.log(`load average ${loadavg()[0]?.toFixed(2)}`);
const aims = [];
const { aims: ofAccepts } = await playAccepts(ground, size.ms);
aims.push(...ofAccepts);
await playFanOut(ground, size.watchers, size.events);
await playActionCalls(ground, size.calls);
await printCosts(ground);
await playNodeDeath(ground, size.people);
if (aims.length > 0) printVerdicts('aim', aims);
