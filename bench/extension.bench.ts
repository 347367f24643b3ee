import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { openBuiltExtension } from '@drawbridge/extension/test/built-extension';
import { launchChromium, listenOnLoopback, startShop } from '@drawbridge/testbed';
import { idleFigures, loadFigures } from './extension/figures.ts';
import { firstLoads } from './extension/first-loads.ts';
import { idleCost } from './extension/idle-cost.ts';
import { generatedPage } from './page/generated-page.ts';
import { benchmark } from './report.ts';

/**
 * Cost of lending a tab. Idle: CPU and heap of an idle page of 5,000 elements, lent and not lent in one
 * browser. First load of the shop: in a lent tab, in one that is not lent, and in a browser without the
 * extension, in turns. `--loads N` of each, `--seconds N` of idling (0 skips it).
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

await benchmark(async (report) => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(generatedPage(5_000)),
  );
  const large = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  const [shop, stand, plain] = await Promise.all([
    startShop(),
    openBuiltExtension(deny, {}),
    launchChromium(),
  ]);
  const seconds = Number(values.seconds);
  try {
    if (seconds > 0) report.add(...idleFigures(await idleCost(stand, large, seconds)));
    const from = `${shop.url}/cart`;
    const tabs = {
      lent: (await stand.lend(from)).page,
      unlent: await stand.open(from),
      plain: await plain.context.newPage(),
    };
    const loads = await firstLoads(tabs, { from, to: shop.url, loads: Number(values.loads) });
    report.add(...loadFigures(loads));
  } finally {
    await Promise.all([stand[Symbol.asyncDispose](), plain.close(), shop.close()]);
    server.closeAllConnections();
    server.close();
  }
});
