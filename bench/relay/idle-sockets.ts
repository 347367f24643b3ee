import { join } from 'node:path';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { times, whole } from '../../scripts/bench/words.ts';
import { startChild } from './child.ts';
import { type BenchPhase, type RelayBench, startEcho, startRelay } from './relay-bench.ts';
import type { WatcherCalls } from './watcher-program.ts';

/** Browsers that send only a hello. */
export const IDLE_SOCKETS: RelayBench = { name: 'idle', play };

async function play({ folder, quick }: BenchPhase): Promise<readonly Figure[]> {
  const wanted = quick ? 1_000 : 10_000;
  const count = Math.min(wanted, openFiles() - 200);
  const watcher = await startChild<WatcherCalls>('./watcher-program.ts');

  const echo = await startEcho();
  const echoUrl = (await echo.call('place', undefined)).url;
  const bare = await echo.call('rss', undefined);
  await watcher.call('open', { url: echoUrl, token: '', count, greets: false });
  const plain = (await echo.call('rss', undefined)) - bare;
  await watcher.call('forget', undefined);
  await echo.end();

  const relay = await startRelay({ data: join(folder, 'idle') });
  const { url } = await relay.call('place', undefined);
  const [token = ''] = await relay.call('mint', [{ role: 'person' }]);
  await watcher.call('open', { url, token, count: 100, greets: true });
  const before = await relay.call('rss', undefined);
  const openMs = await watcher.call('open', { url, token, count, greets: true });
  const ours = (await relay.call('rss', undefined)) - before;
  await relay.end('SIGKILL');
  await watcher.end('SIGKILL');

  const each = ours / count / 1_024;
  console.log(
    `${whole(count)} sockets${count < wanted ? ` (the limit of open files allows no ${whole(wanted)})` : ''}: ${whole(each)} KiB each, ${times(ours / plain)} a plain one's ${whole(plain / count / 1_024)} KiB; all greeted in ${whole(openMs)} ms.`,
  );
  return [
    figure({
      id: 'relay.idle',
      headline: 'Memory of a connection that idles',
      what: `memory of ${whole(count)} idle sockets, each`,
      unit: 'KiB',
      better: 'less',
      ours: each,
      beside: [{ name: 'a socket of a plain echo server', value: plain / count / 1_024 }],
      must: { value: 25 },
      how: "the process's memory with them less that before, after a collection; signed in and greeted",
    }),
  ];
}

/** One process has one end of each socket. */
function openFiles(): number {
  const limits = process.report.getReport();
  const files = 'userLimits' in limits ? Object(limits.userLimits).open_files?.soft : undefined;
  return Number.isFinite(Number(files)) ? Number(files) : 1_024;
}
