import { join } from 'node:path';
import { check } from './check.mjs';
import { testBrowsers } from './chromium.mjs';
import { ensureInstalled, main, root, runScript } from './setup.mjs';
import { testServers } from './test-servers.mjs';

const USAGE = `npm test                 install what is missing, then run every check and test
npm test -- PATTERN …    only the test files whose path contains a pattern`;

/** Tests start hundreds of processes from the same sources: a shared cache compiles each source once. */
const COMPILED_ONCE = { NODE_COMPILE_CACHE: join(root, '.cache/compiled') };

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await ensureInstalled();
  const env = { ...COMPILED_ONCE, ...(await testBrowsers()), ...(await testServers()) };
  if (args.length > 0) return runScript('node_modules/vitest/vitest.mjs', ['run', ...args], { env });
  const checked = await check();
  const tested = await runScript('scripts/spec.ts', ['--run'], { env });
  return checked || tested;
});
