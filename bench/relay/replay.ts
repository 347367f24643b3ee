import { join } from 'node:path';
import { startChild } from './child.ts';
import { announce } from './peer.ts';
import { type Findings, type Scene, type Stage, startRelay, times, whole } from './scene.ts';
import type { WatcherCalls } from './watcher-program.ts';

const SESSION = 'session-0';

/** A browser that asks for all of a long session. */
export const REPLAY: Scene = { name: 'replay', play };

async function play({ folder, quick }: Stage): Promise<Findings> {
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
  return {
    musts: [],
    aims: [
      {
        promise: 'a replay: at most twice as long as reading it',
        measured: times(ms / readMs),
        met: ms <= 2 * readMs,
      },
    ],
  };
}
