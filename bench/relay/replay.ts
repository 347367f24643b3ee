import { join } from 'node:path';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { times, whole } from '../../scripts/bench/words.ts';
import { startChild } from './child.ts';
import { announce } from './peer.ts';
import { type BenchPhase, type RelayBench, startRelay } from './relay-bench.ts';
import type { WatcherCalls } from './watcher-program.ts';

const SESSION = 'session-0';

/** A browser that requests the whole of a long session. */
export const REPLAY: RelayBench = { name: 'replay', play };

async function play({ folder, quick }: BenchPhase): Promise<readonly Figure[]> {
  const events = quick ? 10_000 : 100_000;
  const relay = await startRelay({ data: join(folder, 'replay') });
  const { url } = await relay.call('place', undefined);
  const [proxyToken = '', token = ''] = await relay.call('mint', [{ role: 'proxy' }, { role: 'person' }]);
  (await announce(url, proxyToken, [SESSION])).terminate();
  const { head, readMs } = await relay.call('seed', { session_id: SESSION, events });
  const watcher = await startChild<WatcherCalls>('./watcher-program.ts');
  await relay.call('figures', undefined);
  const { ms, bytes } = await watcher.call('replay', { url, token, session_id: SESSION, head });
  const { loopP99Ms } = await relay.call('figures', undefined);
  await watcher.end();
  await relay.end();
  console.log(
    `${whole(head)} events (${whole(bytes / 1_048_576)} MiB) in ${whole(ms)} ms, ${whole((head * 1_000) / ms)} a second: ${times(ms / readMs)} the time of reading them from the ledger and no more (${whole(readMs)} ms); the loop's p99 ${whole(loopP99Ms)} ms.`,
  );
  return [
    figure({
      id: 'relay.replay',
      what: `a replay of ${whole(head)} events`,
      unit: 'ms',
      better: 'less',
      ours: ms,
      beside: [{ name: 'reading them from the ledger', value: readMs }],
      aim: { ratio: 2 },
      how: 'one browser asks for all of a session, page by page',
    }),
  ];
}
