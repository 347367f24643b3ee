import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { launchChromium, listenOnLoopback, startShop } from '@drawbridge/testbed';
import { openExtensionStand } from '../apps/extension/src/stand.suite.ts';
import { firstLoads } from './extension/first-loads.ts';
import { idleCost } from './extension/idle-cost.ts';
import { ratioInterval } from './extension/ratio-interval.ts';
import { median, printTable } from './measure.ts';
import { generatedPage } from './page/generated-page.ts';
import { printVerdicts } from './page/verdicts.ts';

/**
 * What a lent tab costs its page: CPU and heap of a page of 5,000 elements that nobody looks at, beside the same page in
 * the same browser that is not lent; and the shop's first load in a lent tab, in one of the same browser that is not
 * lent, and in a browser without the extension, in turns. `--loads N` of each, `--seconds N` of idling (0: leave it out).
 */

const { values } = parseArgs({
  options: { loads: { type: 'string', default: '40' }, seconds: { type: 'string', default: '10' } },
});

const END = {
  painted: 'to its first contentful paint',
  loaded: 'to the end of its load event',
  worked: 'in CPU of the page’s main thread to its first contentful paint',
};

const deny = {
  ask: async ({ call_hash }: { call_hash: string }) => ({
    decision: 'deny' as const,
    call_hash,
    by: 'bench',
  }),
};
const server = createServer((_, response) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(generatedPage(5_000)),
);
const large = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
const [shop, stand, plain] = await Promise.all([startShop(), openExtensionStand(deny, {}), launchChromium()]);
const seconds = Number(values.seconds);
try {
  if (seconds > 0) {
    const idle = await idleCost(stand, large, seconds);
    console.log('\na page of 5,000 elements, idle');
    printTable(
      ['', 'CPU ms a second', 'heap MB'],
      [
        ['not lent', idle.without.cpu.toFixed(2), idle.without.heap.toFixed(2)],
        ['lent', idle.having.cpu.toFixed(2), idle.having.heap.toFixed(2)],
      ],
    );
  }
  const from = `${shop.url}/cart`;
  const tabs = {
    lent: (await stand.lend(from)).page,
    unlent: await stand.open(from),
    plain: await plain.context.newPage(),
  };
  const loads = await firstLoads(tabs, { from, to: shop.url, loads: Number(values.loads) });
  const goals = (['painted', 'loaded', 'worked'] as const).map((end) => {
    const times = (tab: keyof typeof loads) => loads[tab].map((load) => load[end]);
    const more = (having: keyof typeof loads, without: keyof typeof loads) => {
      const ratio = ratioInterval(times(having), times(without));
      const percent = (share: number) => `${((share - 1) * 100).toFixed(1)} %`;
      return {
        ...ratio,
        text: `${percent(ratio.middle)} (95 %: ${percent(ratio.low)} to ${percent(ratio.high)})`,
      };
    };
    console.log(`\nthe shop’s first load, ${END[end]}`);
    printTable(
      ['', 'median ms', 'more'],
      [
        ['a browser without the extension', median(times('plain')).toFixed(1), ''],
        ['with it, a tab not lent', median(times('unlent')).toFixed(1), more('unlent', 'plain').text],
        [
          'with it, a lent tab',
          median(times('lent')).toFixed(1),
          `${more('lent', 'unlent').text} than not lent`,
        ],
      ],
    );
    const { low, high, text } = more('lent', 'unlent');
    return {
      promise: `first load ${END[end]}: lending adds less than 3 %`,
      measured: text,
      met: low > 1.03 ? false : high < 1.03 ? true : undefined,
    };
  });
  printVerdicts('goal', goals);
  console.log(
    `Load average: ${loadavg()
      .map((each) => each.toFixed(2))
      .join(' ')}.`,
  );
} finally {
  await Promise.all([stand[Symbol.asyncDispose](), plain.close(), shop.close()]);
  server.closeAllConnections();
  server.close();
}
