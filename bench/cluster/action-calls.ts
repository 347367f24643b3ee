import { randomUUID } from 'node:crypto';
import { connectWebSocket } from '@drawbridge/link';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { times, whole } from '../../scripts/bench/words.ts';
import { median, printTable } from '../measure.ts';
import { percentileOf } from '../relay/percentile.ts';
import type { BenchNode, ClusterBench } from './cluster-bench.ts';

const RUNTIME = 'tab_bench';
const WARM_UP = 50;

/** An agent's call and its answer: both on the leader, and on two different followers. */
export async function playActionCalls({ nodes }: ClusterBench, calls: number): Promise<readonly Figure[]> {
  const [leader, one, two] = nodes;
  if (leader === undefined || one === undefined || two === undefined)
    throw new Error('Three nodes are needed.');
  const near = await timesOf(leader, leader, leader, calls);
  const far = await timesOf(leader, one, two, calls);
  const row = (name: string, ms: readonly number[]) => [
    name,
    median(ms).toFixed(2),
    percentileOf([...ms], 99).toFixed(2),
  ];
  printTable(
    ['an action call and its answer', 'p50 ms', 'p99 ms'],
    [row('agent and tab at the leader', near), row('each at another node', far)],
  );
  console.log(
    `Two more nodes on the way make ${times(median(far) / median(near))} the time; ${whole(calls)} calls each.`,
  );
  return [
    figure({
      id: 'cluster.calls',
      what: 'an action call and its answer over two more nodes, median',
      unit: 'ms',
      better: 'less',
      ours: median(far),
      beside: [{ name: 'agent and tab at one node', value: median(near) }],
      how: `${whole(calls)} calls, one after another`,
    }),
  ];
}

async function timesOf(leader: BenchNode, agentAt: BenchNode, tabAt: BenchNode, calls: number) {
  const [agentToken = '', tabToken = ''] = await leader.call('mint', [
    { role: 'agent' },
    { role: 'runtime' },
  ]);
  const tab = connectWebSocket({ url: `${tabAt.url.replace('http', 'ws')}/ws/runtime`, token: tabToken });
  tab.onItem((item) => {
    if (item.type !== 'action_call') return;
    const { call_id } = item;
    tab.send({ type: 'action_call_output', runtime_id: RUNTIME, call_id, output: { title: 'Shop' } });
  });
  tab.onState(({ kind }) => {
    if (kind === 'open')
      tab.send({ type: 'runtime_ready', runtime_id: RUNTIME, url: 'https://shop.example/', title: 'Shop' });
  });
  const agent = connectWebSocket({ url: `${agentAt.url.replace('http', 'ws')}/ws/agent`, token: agentToken });
  let ready = (): void => {};
  let answered = (): void => {};
  const there = new Promise<void>((resolve) => {
    ready = resolve;
  });
  agent.onItem((item) => {
    if (item.type === 'runtime_ready') ready();
    if (item.type === 'action_call_output') answered();
  });
  await there;
  const ms: number[] = [];
  for (let n = 0; n < WARM_UP + calls; n += 1) {
    const began = performance.now();
    await new Promise<void>((resolve) => {
      answered = resolve;
      agent.send({ type: 'action_call', call_id: randomUUID(), name: 'page.info', arguments: {} });
    });
    if (n >= WARM_UP) ms.push(performance.now() - began);
  }
  agent.close();
  tab.close();
  return ms;
}
