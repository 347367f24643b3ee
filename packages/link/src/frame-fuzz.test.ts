import type { BridgeItem } from '@drawbridge/protocol';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { item, setUp } from '../test/frame-bench.ts';
import { listenTo } from '../test/received-log.ts';

const SEEDS = Array.from({ length: 60 }, (_, n) => n + 1);
const MOVES = 150;

/** Random orders of sending, delivering, breaking and waiting, by seed. */
test.each(SEEDS)(
  '[BRG-107] [BRG-47] delivers each item once and in order, wherever it breaks (seed %i)',
  async (seed) => {
    const random = createSeededRandom(seed);
    const { connect, settle, pass, pairs, arrivals } = setUp({ retainMs: 10 ** 9 });
    const client = connect();
    const atClient = listenTo(client);
    await settle();
    const server = await arrivals.at(0);
    const up: BridgeItem[] = [];
    const down: BridgeItem[] = [];
    const moves: ReadonlyArray<() => unknown> = [
      () => {
        up.push(item(`up-${up.length}`));
        client.send(item(`up-${up.length - 1}`));
      },
      () => {
        down.push(item(`down-${down.length}`));
        server.link.send(item(`down-${down.length - 1}`));
      },
      () => {
        for (let steps = random.int(1, 6); steps > 0; steps--) pairs.at(-1)?.step();
      },
      () => random.chance(0.3) && pairs.at(-1)?.cut(),
      () => random.chance(0.3) && pass(random.int(1, 3) * 50),
    ];
    for (let count = 0; count < MOVES; count++) await random.pick(moves)();
    await settle();
    await pass(3_000);
    expect(server.received.items).toEqual(up);
    expect(atClient.items).toEqual(down);
    expect([...server.received.problems, ...atClient.problems]).toEqual([]);
    client.close();
  },
);
