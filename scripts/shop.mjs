import { ensureInstalled, main, runScript, stopWithParent } from './setup.mjs';

await main(async (args) => {
  stopWithParent();
  await ensureInstalled();
  return runScript('apps/demo-shop/src/main.ts', args);
});
