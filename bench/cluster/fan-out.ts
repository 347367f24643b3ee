import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { whole } from '../../scripts/bench/words.ts';
import { median, printTable } from '../measure.ts';
import { startChild } from '../relay/child.ts';
import { announce, speak } from '../relay/peer.ts';
import type { WatcherCalls } from '../relay/watcher-program.ts';
import type { ClusterBench } from './cluster-bench.ts';

const SESSION = 'fan-out';
const WARM_UP = 20;

/** Delivers an agent's messages from the leader to watchers on the same node and on another. */
export async function playFanOut(
  { nodes }: ClusterBench,
  watchers: number,
  events: number,
): Promise<readonly Figure[]> {
  const [leader, follower] = nodes;
  if (leader === undefined || follower === undefined) throw new Error('Two nodes are needed.');
  const [proxyToken = '', token = ''] = await leader.call('mint', [{ role: 'proxy' }, { role: 'person' }]);
  const proxy = await announce(leader.url, proxyToken, [SESSION]);
  const speakUp = () => speak(proxy, SESSION);

  const rows: { readonly name: string; readonly p50Ms: number; readonly p99Ms: number; cpuFrame: number }[] =
    [];
  for (const [name, node] of [
    ['at the same node', leader],
    ['at another node', follower],
  ] as const) {
    const watcher = await startChild<WatcherCalls>('./watcher-program.ts');
    await watcher.call('open', { url: node.url, token, count: watchers, greets: true });
    const once = async () => {
      await watcher.call('expect', { events: 1 });
      speakUp();
      return watcher.call('watched', undefined);
    };
    for (let n = 0; n < WARM_UP; n += 1) await once();
    await node.call('figures', undefined);
    const seen = [];
    for (let n = 0; n < events; n += 1) seen.push(await once());
    const { cpuSeconds } = await node.call('figures', undefined);
    rows.push({
      name,
      p50Ms: median(seen.map((each) => each.p50Ms)),
      p99Ms: median(seen.map((each) => each.p99Ms)),
      cpuFrame: (cpuSeconds * 1e6) / (events * watchers),
    });
    await watcher.end('SIGKILL');
  }
  proxy.terminate();
  const [here, there] = rows;
  printTable(
    [`one event to ${watchers} watchers`, 'p50 ms', 'p99 ms', "µs of the node's CPU a frame"],
    rows.map(({ name, p50Ms, p99Ms, cpuFrame }) => [name, whole(p50Ms), whole(p99Ms), whole(cpuFrame)]),
  );
  return [
    figure({
      id: 'cluster.fan-out',
      what: `one event to ${watchers} watchers at another node, median`,
      unit: 'ms',
      better: 'less',
      ours: there?.p50Ms,
      beside: [{ name: 'watchers at the same node', value: here?.p50Ms ?? Number.NaN }],
      how: `${events} events, one after another`,
    }),
  ];
}
