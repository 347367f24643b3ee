import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPackage } from './child.ts';
import { startFixtures } from './fixtures.ts';
import { startMcpHandler } from './handler-server.ts';
import type { HttpServer } from './http-server.ts';
import { startRelayServer } from './relay-server.ts';
import { type Place, REVISIONS, type Revision, VERDICTS, type Verdict } from './scenarios.ts';

const CLI = '@modelcontextprotocol/conformance/dist/index.js';

const PLACES: Readonly<Record<Place, { readonly words: string; readonly start: () => Promise<HttpServer> }>> =
  {
    fixtures: { words: "the suite's fixtures on our transport", start: startFixtures },
    handler: { words: 'our own tools and resources, called by those names', start: startMcpHandler },
    relay: { words: '/mcp of drawbridge up', start: startRelayServer },
  };

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

type Outcome = 'passes' | 'empty' | 'fails' | 'not run';

type Outcomes = ReadonlyMap<string, Outcome>;

/**
 * Runs the official conformance suite in both revisions: every scenario must end as `scenarios.ts` says, no better
 * and no worse.
 */
async function runSuite(place: Place): Promise<ReadonlyMap<Revision, Outcomes>> {
  const server = await PLACES[place].start();
  const outcomes = new Map<Revision, Outcomes>();
  try {
    for (const revision of REVISIONS) outcomes.set(revision, await runRevision(place, revision, server.url));
  } finally {
    await server.close();
  }
  return outcomes;
}

async function runRevision(place: Place, revision: Revision, url: string): Promise<Outcomes> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-conformance-'));
  try {
    const args = ['server', '--suite', 'all', '--spec-version', revision, '--url', url, '-o', folder];
    const { stderr } = await runPackage(CLI, args);
    const found = resultsIn(folder);
    if (found.size === 0) throw new Error(`The suite did not run: ${stderr}`);
    return report(place, revision, found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(place: Place, revision: Revision, found: ReadonlyMap<string, readonly Check[]>): Outcomes {
  const outcomes = new Map<string, Outcome>();
  const verdicts = VERDICTS[place][revision];
  console.log(`\n${revision}, ${PLACES[place].words}:`);
  for (const [name, verdict] of Object.entries(verdicts)) {
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
  // The fixtures answer everything: a scenario that is missing there is new.
  for (const name of place === 'fixtures' ? found.keys() : []) {
    if (Object.hasOwn(verdicts, name)) continue;
    console.log(`✗ ${name} is not in scenarios.ts: say there how it ends`);
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

/** The schema of our messages is checked in every scenario, so it alone is no success. */
function outcomeOf(checks: readonly Check[]): Outcome {
  if (checks.some(({ status }) => status === 'FAILURE')) return 'fails';
  const own = checks.filter(({ id }) => !id.startsWith('wire-schema-'));
  return own.some(({ status }) => status === 'SUCCESS') ? 'passes' : 'empty';
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

const all = new Map(REVISIONS.map((revision) => [revision, new Map<string, boolean>()]));
for (const place of ['fixtures', 'handler', 'relay'] as const) {
  for (const [revision, outcomes] of await runSuite(place)) {
    const passed = all.get(revision);
    for (const [name, outcome] of outcomes)
      passed?.set(name, passed.get(name) === true || outcome === 'passes');
  }
}
for (const [revision, scenarios] of all) {
  const passed = [...scenarios.values()].filter((isPassed) => isPassed).length;
  console.log(
    `\nMCP conformance suite, ${revision}: ${passed} of ${scenarios.size} scenarios pass, none of them empty`,
  );
}
