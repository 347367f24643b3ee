import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { testBrowsers } from './chromium.mjs';
import { ensureInstalled, main, root, runScript } from './setup.mjs';
import { testServers } from './test-servers.mjs';

const USAGE = `npm run coverage                 lines and branches that the tests run in Node, by package
npm run coverage -- PATTERN …    of the test files whose path contains a pattern
npm run coverage -- --files …    by file`;

const REPORTS = join(root, '.cache/coverage');

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await ensureInstalled();
  await rm(REPORTS, { recursive: true, force: true });
  await mkdir(REPORTS, { recursive: true });
  const env = { ...(await testBrowsers()), ...(await testServers()), NODE_V8_COVERAGE: REPORTS };
  const patterns = args.filter((arg) => !arg.startsWith('--'));
  const code = await runScript('node_modules/vitest/vitest.mjs', ['run', ...patterns], { env });
  await runScript('scripts/coverage.ts', [REPORTS, ...args.filter((arg) => arg === '--files')]);
  await rm(REPORTS, { recursive: true, force: true });
  return code;
});
