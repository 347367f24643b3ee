import { ensureChromium, ensureInstalled, main, runScript } from './setup.mjs';

const USAGE = `npm run deep    the slow tests: the same properties as npm test, many more times`;

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await ensureInstalled();
  const env = { CHROME_PATH: await ensureChromium(), DRAWBRIDGE_FUZZ_RUNS: '1000000' };
  return runScript('node_modules/vitest/vitest.mjs', ['run', '--project', 'unit', 'fuzz', ...args], { env });
});
