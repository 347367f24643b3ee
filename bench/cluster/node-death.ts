import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { times, whole } from '../../scripts/bench/words.ts';
import { startChild } from '../relay/child.ts';
import { announce } from '../relay/peer.ts';
import { startEcho } from '../relay/relay-bench.ts';
import type { WatcherCalls } from '../relay/watcher-program.ts';
import type { ClusterBench } from './cluster-bench.ts';

const SESSION = 'death';
const MISSED = 10;
const EVENTS = 100;

/** Kills a follower; all of its clients reconnect to another node at once. */
export async function playNodeDeath({ nodes }: ClusterBench, count: number): Promise<readonly Figure[]> {
  const [leader, dying, other] = nodes;
  if (leader === undefined || dying === undefined || other === undefined)
    throw new Error('Three nodes are needed.');
  const watcher = await startChild<WatcherCalls>('./watcher-program.ts');
  const echo = await startEcho();
  const { url: echoUrl } = await echo.call('place', undefined);
  const plainMs = await watcher.call('open', { url: echoUrl, token: '', count, greets: false });
  await watcher.call('forget', undefined);
  await echo.end();

  const [proxyToken = '', token = ''] = await leader.call('mint', [{ role: 'proxy' }, { role: 'person' }]);
  const proxy = await announce(leader.url, proxyToken, [SESSION]);
  for (let n = 0; n < EVENTS; n += 1) {
    const message = { role: 'assistant', content: `Line ${n}`, created_at: '2026-01-01T00:00:00.000Z' };
    proxy.send(JSON.stringify({ protocol_version: 1, type: 'proxy_message', session_id: SESSION, message }));
  }
  await watcher.call('open', { url: dying.url, token, count, greets: true });
  await dying.end('SIGKILL');
  await watcher.call('forget', undefined);
  const resume = { session_id: SESSION, last_sequence: EVENTS - MISSED };
  const resumedMs = await watcher.call('open', { url: other.url, token, count, greets: true, resume });
  await watcher.end('SIGKILL');
  proxy.terminate();
  console.log(
    `${whole(count)} people of a node that was killed resumed at another in ${whole(resumedMs)} ms, ${times(resumedMs / plainMs)} the time of as many plain connections.`,
  );
  return [
    figure({
      id: 'cluster.death',
      what: `${whole(count)} people of a killed node resume at another`,
      unit: 'ms',
      better: 'less',
      ours: resumedMs,
      beside: [{ name: 'as many plain connections', value: plainMs }],
      how: `each is told the ${MISSED} events it missed; until the last has them`,
    }),
  ];
}
