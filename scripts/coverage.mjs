import { ensureInstalled, main, runScript } from './setup.mjs';

await main(async (args) => {
  await ensureInstalled();
  return runScript('scripts/coverage.ts', args);
});
