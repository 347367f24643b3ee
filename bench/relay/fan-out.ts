import { join } from 'node:path';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { times, whole } from '../../scripts/bench/words.ts';
import { median, printTable } from '../measure.ts';
import { type Child, startChild } from './child.ts';
import { announce, speak } from './peer.ts';
import { type BenchPhase, type RelayBench, startEcho, startRelay } from './relay-bench.ts';
import type { WatcherCalls } from './watcher-program.ts';

const SESSION = 'session-0';
const FRAMES_A_SECOND = 20_000;
const WARM_UP = 20;

/** One session with a thousand watchers: an agent's events go to each. */
export const FAN_OUT: RelayBench = { name: 'fan-out', play };

async function play({ folder, quick }: BenchPhase): Promise<readonly Figure[]> {
  const watchers = quick ? 200 : 1_000;
  const burst = quick ? 40 : 100;
  const paced = FRAMES_A_SECOND / watchers;
  const watcher = await startChild<WatcherCalls>('./watcher-program.ts');

  const echo = await startEcho();
  await watcher.call('open', {
    url: (await echo.call('place', undefined)).url,
    token: '',
    count: watchers,
    greets: false,
  });
  const shout = (events: number, corked: boolean) =>
    timed(watcher, events, () => echo.call('broadcast', { events, corked }));
  await shout(WARM_UP, false);
  const plain = await shout(burst, false);
  const corked = await shout(burst, true);
  await watcher.call('forget', undefined);
  await echo.end();

  const relay = await startRelay({ data: join(folder, 'fan-out') });
  const { url } = await relay.call('place', undefined);
  const [proxyToken = '', token = ''] = await relay.call('mint', [{ role: 'proxy' }, { role: 'person' }]);
  const proxy = await announce(url, proxyToken, [SESSION]);
  await watcher.call('open', { url, token, count: watchers, greets: true });
  const speakUp = () => speak(proxy, SESSION);
  const speakAll = (count: number) => () => {
    for (let n = 0; n < count; n += 1) speakUp();
  };
  await timed(watcher, WARM_UP, speakAll(WARM_UP));
  const ours = await timed(watcher, burst, speakAll(burst));
  const alone = await oneByOne(watcher, quick ? 10 : 40, speakUp);
  await relay.call('figures', undefined);
  const events = paced * (quick ? 2 : 6);
  const steady = await timed(watcher, events, () => every(1_000 / paced, events, speakUp));
  const { loopP99Ms } = await relay.call('figures', undefined);
  proxy.terminate();
  await relay.end();
  await watcher.end();

  printTable(
    [`to ${watchers} watchers`, 'frames a second', 'ours is'],
    [
      [
        'plain broadcast, a system call a frame',
        whole(plain.perSecond),
        times(ours.perSecond / plain.perSecond),
      ],
      ['plain broadcast, one a socket', whole(corked.perSecond), times(ours.perSecond / corked.perSecond)],
      [`ours, durable, a burst of ${burst}`, whole(ours.perSecond), ''],
      ['ours, durable, one event after the other', whole(alone), ''],
    ],
  );
  console.log(
    `At ${whole(FRAMES_A_SECOND)} frames a second: p50 ${whole(steady.p50Ms)} ms, p99 ${whole(steady.p99Ms)} ms; the relay's loop p99 ${whole(loopP99Ms)} ms.`,
  );
  const shouted = [
    { name: 'plain broadcast, a system call a frame', value: plain.perSecond },
    { name: 'plain broadcast, one a socket', value: corked.perSecond },
  ];
  return [
    figure({
      id: 'relay.fan-out',
      headline: `Frames a second to ${whole(watchers)} people who watch one session`,
      what: `fan-out to ${whole(watchers)} watchers, one event after the other`,
      unit: 'frames a second',
      better: 'more',
      ours: alone,
      beside: shouted,
      must: { ratio: 0.2 },
      aim: { value: FRAMES_A_SECOND },
      how: 'each event is stored first, and the next one is said when all have the last',
    }),
    figure({
      id: 'relay.fan-out.burst',
      what: `fan-out to ${whole(watchers)} watchers, a burst of ${burst}`,
      unit: 'frames a second',
      better: 'more',
      ours: ours.perSecond,
      beside: shouted,
      how: 'stored first',
    }),
    figure({
      id: 'relay.fan-out.p99',
      what: `fan-out at ${whole(FRAMES_A_SECOND)} frames a second, 99th percentile`,
      unit: 'ms',
      better: 'less',
      ours: steady.p99Ms,
      aim: { value: 150 },
      how: `from an agent's word to each of ${whole(watchers)} watchers`,
    }),
  ];
}

async function timed(watcher: Child<WatcherCalls>, events: number, act: () => unknown) {
  await watcher.call('expect', { events });
  const began = Date.now();
  await act();
  const { frames, p50Ms, p99Ms, at } = await watcher.call('watched', undefined);
  return { perSecond: (frames * 1_000) / (at - began), p50Ms, p99Ms };
}

/** A burst is one write per socket; single events cannot be batched. */
async function oneByOne(watcher: Child<WatcherCalls>, events: number, act: () => void): Promise<number> {
  const rates: number[] = [];
  for (let n = 0; n < events; n += 1) rates.push((await timed(watcher, 1, act)).perSecond);
  return median(rates);
}

async function every(ms: number, count: number, act: () => void): Promise<void> {
  const began = performance.now();
  for (let n = 0; n < count; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + n * ms - performance.now())));
    act();
  }
}
