import { conformance } from '../conformance/run.mjs';
import { ensureChromium, ensureInstalled, main, runScript } from './setup.mjs';

const USAGE = `npm run deep              the slow tests: the same properties as npm test, many more times,
                          then MCP clients that are not ours (node conformance/run.mjs)
npm run deep -- FILE …    only the properties of these files`;

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await ensureInstalled();
  const env = { CHROME_PATH: await ensureChromium(), DRAWBRIDGE_FUZZ_RUNS: '1000000' };
  const code = await runScript(
    'node_modules/vitest/vitest.mjs',
    ['run', '--project', 'unit', 'fuzz', ...args],
    {
      env,
    },
  );
  return args.length > 0 ? code : (await conformance()) || code;
});
