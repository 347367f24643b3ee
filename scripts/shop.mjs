import { ensureInstalled, main, runScript } from './setup.mjs';

await main(async (args) => {
  await ensureInstalled();
  return runScript('testbed/src/shop/main.ts', args);
});
