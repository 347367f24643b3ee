import { join } from 'node:path';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { times, whole } from '../../scripts/bench/words.ts';
import { startChild } from './child.ts';
import { announce } from './peer.ts';
import { type BenchPhase, type RelayBench, startEcho, startRelay } from './relay-bench.ts';
import type { WatcherCalls } from './watcher-program.ts';

const SESSION = 'session-0';
const EVENTS = 20_000;
const MISSED = 10;

/** Kills and restarts the relay; all clients reconnect at once. */
export const RECONNECT_STORM: RelayBench = { name: 'storm', play };

async function play({ folder, quick }: BenchPhase): Promise<readonly Figure[]> {
  const count = quick ? 200 : 2_000;
  const data = join(folder, 'storm');
  const watcher = await startChild<WatcherCalls>('./watcher-program.ts');

  const echo = await startEcho();
  const plainMs = await watcher.call('open', {
    url: (await echo.call('place', undefined)).url,
    token: '',
    count,
    greets: false,
  });
  await watcher.call('forget', undefined);
  await echo.end();

  const first = await startRelay({ data });
  const { url, port } = await first.call('place', undefined);
  const [proxyToken = '', token = ''] = await first.call('mint', [{ role: 'proxy' }, { role: 'person' }]);
  const proxy = await announce(url, proxyToken, [SESSION]);
  const { head } = await first.call('seed', { session_id: SESSION, events: EVENTS });
  await watcher.call('open', { url, token, count, greets: true });
  await first.end('SIGKILL');
  proxy.terminate();
  await watcher.call('forget', undefined);

  const began = performance.now();
  const second = await startRelay({ data, port });
  const bootMs = performance.now() - began;
  const { startMs } = await second.call('place', undefined);
  await second.call('figures', undefined);
  const resume = { session_id: SESSION, last_sequence: head - MISSED };
  const resumedMs = await watcher.call('open', { url, token, count, greets: true, resume });
  const { loopP99Ms } = await second.call('figures', undefined);
  await second.end('SIGKILL');
  await watcher.end('SIGKILL');

  console.log(
    `Ready ${whole(startMs)} ms after a kill -9, ${whole(bootMs)} ms with the program's own start. ${whole(count)} resumed in ${whole(resumedMs)} ms, ${times(resumedMs / plainMs)} the time of as many plain connections; the loop's p99 ${whole(loopP99Ms)} ms.`,
  );
  return [
    figure({
      id: 'relay.ready',
      what: 'ready after kill -9',
      unit: 'ms',
      better: 'less',
      ours: startMs,
      aim: { value: 1_000 },
      how: `a ledger of ${whole(EVENTS)} events; until it listens`,
    }),
    figure({
      id: 'relay.storm',
      what: `${whole(count)} clients resume at once`,
      unit: 'ms',
      better: 'less',
      ours: resumedMs,
      beside: [{ name: 'as many plain connections', value: plainMs }],
      how: `each is told the ${MISSED} events it missed; until the last has them`,
    }),
  ];
}
