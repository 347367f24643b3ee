import { join } from 'node:path';
import { ensureInstalled, main, root, runScript } from './setup.mjs';

await main(async (args) => {
  await ensureInstalled();
  await ensureInstalled(join(root, 'bench'));
  return runScript('scripts/benchmarks.ts', args);
});
