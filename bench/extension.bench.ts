import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { launchChromium, listenOnLoopback, startShop } from '@drawbridge/testbed';
import { openExtensionStand } from '../apps/extension/src/stand.suite.ts';
import { idleCost } from './extension/idle-cost.ts';
import { loadRatio } from './extension/load-ratio.ts';
import { printTable } from './measure.ts';
import { generatedPage } from './page/generated-page.ts';
import { printVerdicts } from './page/verdicts.ts';

/**
 * What a lent tab costs its page: CPU and heap of a page of 5,000 elements that nobody looks at, beside the same page in
 * the same browser that is not lent; and the shop's first load, beside a browser without the extension, in turns.
 * `--loads N` of each, `--seconds N` of idling.
 */

const { values } = parseArgs({
  options: { loads: { type: 'string', default: '40' }, seconds: { type: 'string', default: '10' } },
});

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
try {
  const idle = await idleCost(stand, large, Number(values.seconds));
  console.log('\na page of 5,000 elements, idle');
  printTable(
    ['', 'CPU ms a second', 'heap MB'],
    [
      ['not lent', idle.without.cpu.toFixed(2), idle.without.heap.toFixed(2)],
      ['lent', idle.having.cpu.toFixed(2), idle.having.heap.toFixed(2)],
    ],
  );
  const lent = await stand.lend(shop.url);
  const bare = await plain.context.newPage();
  const ratio = await loadRatio(bare, lent.page, shop.url, Number(values.loads));
  console.log('\nthe shop’s first load, to the end of its load event');
  printTable(
    ['', 'median ms'],
    [
      ['without the extension', ratio.without.toFixed(1)],
      ['in a lent tab', ratio.having.toFixed(1)],
    ],
  );
  const percent = (share: number) => `${((share - 1) * 100).toFixed(1)} %`;
  const goals = [
    {
      promise: 'first load: less than 3 % more',
      measured: `${percent(ratio.middle)} (95 %: ${percent(ratio.low)} to ${percent(ratio.high)})`,
      met: ratio.low > 1.03 ? false : ratio.high < 1.03 ? true : undefined,
    },
  ];
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
