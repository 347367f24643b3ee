import { ensureInstalled, main, runScript, stopWithParent } from './setup.mjs';

await main(async (args) => {
  stopWithParent();
  await ensureInstalled();
  return runScript('testbed/src/sites/main.ts', args);
});
