import { ensureInstalled, main, runScript } from './setup.mjs';

await main(async (args) => {
  await ensureInstalled();
  return runScript('apps/demo-shop/src/main.ts', args);
});
