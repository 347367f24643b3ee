import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPackage } from './child.ts';
import { startFixtures } from './fixtures.ts';
import { startMcpHandler } from './handler-server.ts';
import type { HttpServer } from './http-server.ts';
import { startRelayServer } from './relay-server.ts';
import { type Place, VERDICTS, type Verdict } from './scenarios.ts';

const CLI = '@modelcontextprotocol/conformance/dist/index.js';

const PLACES: Readonly<Record<Place, { readonly words: string; readonly start: () => Promise<HttpServer> }>> =
  {
    fixtures: { words: "the suite's fixtures on our transport", start: startFixtures },
    handler: { words: 'our own tools and resources, called by those names', start: startMcpHandler },
    relay: { words: '/mcp of drawbridge up', start: startRelayServer },
  };

interface Check {
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

type Outcome = 'passes' | 'empty' | 'fails' | 'not run';

/**
 * Runs the official conformance suite: every scenario must end as `scenarios.ts` says, no better and no
 * worse.
 */
async function runSuite(place: Place): Promise<ReadonlyMap<string, Outcome>> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-conformance-'));
  const server = await PLACES[place].start();
  try {
    const args = ['server', '--suite', 'all', '--url', server.url, '-o', folder];
    const { stderr } = await runPackage(CLI, args);
    const found = resultsIn(folder);
    if (found.size === 0) throw new Error(`The suite did not run: ${stderr}`);
    return report(place, found);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(place: Place, found: ReadonlyMap<string, readonly Check[]>): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  console.log(`\n${PLACES[place].words}:`);
  for (const [name, verdict] of Object.entries(VERDICTS[place])) {
    const checks = found.get(name);
    const outcome = checks === undefined ? 'not run' : outcomeOf(checks);
    outcomes.set(name, outcome);
    const count = (wanted: Check['status']) => checks?.filter(({ status }) => status === wanted).length ?? 0;
    const counts = `${count('SUCCESS')} checks${count('WARNING') > 0 ? `, ${count('WARNING')} warnings` : ''}`;
    if (outcome === outcomeFor(verdict)) {
      console.log(`  ${outcome.padEnd(7)} ${name} (${counts})${reasonOf(verdict)}`);
      continue;
    }
    const trouble = checks?.find(({ status }) => status === 'FAILURE')?.errorMessage ?? '';
    console.log(`✗ ${outcome.padEnd(7)} ${name} (${counts}): not what scenarios.ts says. ${trouble}`);
    process.exitCode = 1;
  }
  return outcomes;
}

const outcomeFor = (verdict: Verdict): Outcome =>
  typeof verdict === 'object' && 'no' in verdict ? 'fails' : 'passes';

function reasonOf(verdict: Verdict): string {
  if (typeof verdict === 'string') return '';
  return 'no' in verdict ? `: ${verdict.no}` : `, but ${verdict.but}`;
}

function outcomeOf(checks: readonly Check[]): Outcome {
  if (checks.some(({ status }) => status === 'FAILURE')) return 'fails';
  return checks.some(({ status }) => status === 'SUCCESS') ? 'passes' : 'empty';
}

/** One folder per scenario, with the time at the end of its name. */
function resultsIn(folder: string): Map<string, readonly Check[]> {
  const found = new Map<string, readonly Check[]>();
  for (const each of readdirSync(folder)) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(each)?.[1];
    const file = join(folder, each, 'checks.json');
    if (name !== undefined && existsSync(file)) found.set(name, JSON.parse(readFileSync(file, 'utf8')));
  }
  return found;
}

const all = new Map<string, boolean>();
for (const place of ['fixtures', 'handler', 'relay'] as const) {
  for (const [name, outcome] of await runSuite(place))
    all.set(name, all.get(name) === true || outcome === 'passes');
}
const passed = [...all.values()].filter((isPassed) => isPassed).length;
console.log(`\nMCP conformance suite: ${passed} of ${all.size} scenarios pass, none of them empty`);
