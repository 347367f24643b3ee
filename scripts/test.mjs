import { join } from 'node:path';
import { check } from './check.mjs';
import { testBrowsers } from './chromium.mjs';
import { ensureInstalled, main, root, runScript } from './setup.mjs';
import { testPrometheus, testServers } from './test-servers.mjs';

const USAGE = `npm test                 install what is missing, then run every check and test
npm test -- PATTERN …    only the test files whose path contains a pattern, also those of npm run deep`;

/** Tests start hundreds of processes from the same sources: a shared cache compiles each source once. */
const COMPILED_ONCE = { NODE_COMPILE_CACHE: join(root, '.cache/compiled') };

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const began = performance.now();
  await ensureInstalled();
  const env = { ...COMPILED_ONCE, ...(await testBrowsers()), ...(await testServers()) };
  if (args.length > 0) {
    if (args.some((pattern) => pattern.includes('prometheus'))) await testPrometheus();
    const named = { ...env, DRAWBRIDGE_NAMED: '1' };
    return runScript('node_modules/vitest/vitest.mjs', ['run', ...args], { env: named });
  }
  const installed = performance.now();
  // Beside the tests, many of which wait for a process or a timer.
  const checking = timed(check);
  const tested = await timed(() => runScript('scripts/spec.ts', ['--run'], { env }));
  const checked = await checking;
  if (checked.code !== 0) console.log('\nnpm run check failed: see the lines with ✗ above.');
  const phases = { install: installed - began, checks: checked.ms, tests: tested.ms };
  for (const [phase, ms] of Object.entries(phases)) console.log(`${phase}: ${seconds(ms)}`);
  console.log(`npm test: ${seconds(performance.now() - began)}, with the checks beside the tests`);
  return checked.code || tested.code;
});

async function timed(work) {
  const began = performance.now();
  const code = await work();
  return { code, ms: performance.now() - began };
}

function seconds(ms) {
  return `${Math.round(ms / 1_000)} s`;
}
