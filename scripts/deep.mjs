import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformance } from '../conformance/run.mjs';
import { testBrowsers } from './chromium.mjs';
import { ensureInstalled, main, root, runScript } from './setup.mjs';
import { testPrometheus, testServers } from './test-servers.mjs';

const USAGE = `npm run deep              the slow tests: the same properties as npm test, many more times,
                          the rules of chat on several relays, the package,
                          then MCP clients that are not ours (node conformance/run.mjs)
npm run deep -- FILE …    only the properties of these files
  --record                writes the figures of long runs to docs/reliability`;

/** Repetitions, where npm test uses fewer and the environment sets nothing. */
const MANY = {
  DRAWBRIDGE_DEEP: '1',
  DRAWBRIDGE_FUZZ_RUNS: '1000000',
  DRAWBRIDGE_CHAOS_RUNS: '200',
  DRAWBRIDGE_SIMULATION_SEEDS: '100000',
  DRAWBRIDGE_KILLS: '1000',
  DRAWBRIDGE_TRACED_SENDS: '1000',
  DRAWBRIDGE_POWER_LOSSES: '10000',
  DRAWBRIDGE_THREAD_KILLS: '200',
  DRAWBRIDGE_PROXY_KILLS: '500',
  DRAWBRIDGE_BROWSER_KILLS: '300',
  DRAWBRIDGE_CHROMIUM_KILLS: '100',
  DRAWBRIDGE_PROXY_IN_FLIGHT: '400',
  DRAWBRIDGE_PROXY_ROUNDS: '4',
  DRAWBRIDGE_HOSTILE_TEXTS: '5000',
  DRAWBRIDGE_PRESS_PAGES: '10000',
  DRAWBRIDGE_NODE_KILLS: '500',
  DRAWBRIDGE_LEADER_KILLS: '25',
  DRAWBRIDGE_FULL_LOAD_MINUTES: '30',
  DRAWBRIDGE_YEAR_EVENTS: '10000000',
  DRAWBRIDGE_RETENTION_EVENTS: '100000',
  DRAWBRIDGE_POSTGRES_STOPS: '100',
  DRAWBRIDGE_LEASE_ROUNDS: '1000',
  DRAWBRIDGE_CLAIM_ROUNDS: '1000',
  DRAWBRIDGE_CLUSTER_SEEDS: '10000',
  DRAWBRIDGE_SCALE: '50,100000',
};

/** Tests that count by a variable of MANY. */
const COUNTED = [
  ...[
    'fuzz',
    'crash',
    '-kill',
    'postgres/lease',
    'postgres/contention',
    'cluster/claims',
    'simulation/scale',
  ],
  ...['boundary/press-property', 'hostile-expressions'],
];

/** Slow tests, tests that take a sample in npm test, and counted ones. */
function deepFiles() {
  const slow = JSON.parse(readFileSync(join(root, 'scripts/slow-tests.json'), 'utf8'));
  const names = ['grep', '-lwE', '--untracked', 'isDeep|sampled', '--', '*.test.ts'];
  const sampling = execFileSync('git', names, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return [...slow, ...sampling, ...COUNTED];
}

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await ensureInstalled();
  const files = args.filter((arg) => arg !== '--record');
  const record = files.length < args.length ? { DRAWBRIDGE_RECORD: '1' } : {};
  const env = { ...MANY, ...process.env, ...record, ...(await testBrowsers()), ...(await testServers()) };
  const only = files.length > 0 ? files : deepFiles();
  if (only.some((pattern) => pattern.includes('prometheus'))) await testPrometheus();
  const code = await runScript('node_modules/vitest/vitest.mjs', ['run', ...only], { env });
  if (files.length > 0) return code;
  // Runs the rules of chat again on PostgreSQL and NATS, with every client on a follower.
  const onCluster = { env: { ...env, DRAWBRIDGE_CONTRACT: 'cluster' } };
  const contract = await runScript(
    'node_modules/vitest/vitest.mjs',
    ['run', 'relay/src/contract'],
    onCluster,
  );
  return code || contract || (await conformance());
});
