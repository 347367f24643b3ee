import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPackage } from './child.ts';
import { type Serving, startFixture } from './fixture-server.ts';
import { type Outcome, VERDICTS, type Verdict } from './scenarios.ts';

const CLI = '@modelcontextprotocol/conformance/dist/index.js';

interface Check {
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

/** The official conformance suite: every scenario ends as `scenarios.ts` says, no better and no worse. */
async function runSuite(serving: Serving): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-conformance-'));
  const fixture = await startFixture(serving);
  try {
    const { stderr } = await runPackage(CLI, [
      'server',
      '--suite',
      'all',
      '--url',
      fixture.url,
      '-o',
      folder,
    ]);
    const found = resultsIn(folder);
    if (found.size === 0) throw new Error(`The suite did not run: ${stderr}`);
    return report(serving, found);
  } finally {
    await fixture.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(serving: Serving, found: ReadonlyMap<string, readonly Check[]>): number {
  const verdicts = VERDICTS[serving];
  const names = [...new Set([...Object.keys(verdicts), ...found.keys()])];
  const lines = names.map((name) => {
    const checks = found.get(name) ?? [];
    const outcome = found.has(name) ? outcomeOf(checks) : 'not run';
    const verdict = verdicts[name];
    const isExpected = verdict !== undefined && outcome === outcomeFor(verdict);
    const why = reasonOf(verdict);
    const trouble = checks.find(({ status }) => status === 'FAILURE')?.errorMessage ?? '';
    return {
      outcome,
      isExpected,
      text: isExpected
        ? `  ${outcome.padEnd(7)} ${name}${why && `: ${why}`}`
        : `✗ ${outcome.padEnd(7)} ${name}: not what scenarios.ts says. ${trouble}`,
    };
  });
  const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length;
  console.log(
    `\nMCP conformance suite, our server over HTTP (${serving}): ${count('passes')} of ${names.length} pass, ${count('empty')} pass empty, ${count('fails')} cannot, each for the reason beside it`,
  );
  console.log(lines.map(({ text }) => text).join('\n'));
  return lines.every(({ isExpected }) => isExpected) ? 0 : 1;
}

function outcomeFor(verdict: Verdict): Outcome {
  if (typeof verdict === 'string') return verdict;
  return 'no' in verdict ? 'fails' : 'passes';
}

function reasonOf(verdict: Verdict | undefined): string {
  if (typeof verdict !== 'object') return '';
  return 'no' in verdict ? verdict.no : `but ${verdict.but}`;
}

function outcomeOf(checks: readonly Check[]): Outcome {
  if (checks.some(({ status }) => status === 'FAILURE')) return 'fails';
  return checks.some(({ status }) => status === 'SUCCESS') ? 'passes' : 'empty';
}

/** A folder for each scenario, its time at the end of its name. */
function resultsIn(folder: string): Map<string, readonly Check[]> {
  const found = new Map<string, readonly Check[]>();
  for (const each of readdirSync(folder)) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(each)?.[1];
    const file = join(folder, each, 'checks.json');
    if (name !== undefined && existsSync(file)) found.set(name, JSON.parse(readFileSync(file, 'utf8')));
  }
  return found;
}

let code = 0;
for (const serving of ['handler', 'session'] as const) code ||= await runSuite(serving);
process.exitCode = code;
