import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { trustRecords } from './record.ts';
import { runBenchmark } from './run.ts';

const TELL = `const tell = (entry) => appendFileSync(process.env.DRAWBRIDGE_BENCH_RECORDS, JSON.stringify(entry) + '\\n');`;
const FIGURE = {
  id: 'x.y',
  what: 'y',
  unit: 'ms',
  better: 'less',
  ours: 1,
  beside: [],
  met: {},
  how: 'once',
};

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bench-run-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function run(body: string, folder?: string, limit = new AbortController().signal) {
  folder ??= await emptyFolder();
  const file = join(folder, 'x.bench.mjs');
  await writeFile(file, `import { appendFileSync } from 'node:fs';\n${TELL}\n${body}`);
  return runBenchmark({ name: 'x', file, flags: [], isQuick: false, limit, talk: 'file', folder });
}

test('keeps only the last record of a figure', async () => {
  const again = { ...FIGURE, ours: 2 };
  const { figures, failed, didNotRun } = await run(
    `tell({ figure: ${JSON.stringify(FIGURE)} }); tell({ didNotRun: 'a peer' }); tell({ figure: ${JSON.stringify(again)} });`,
  );
  expect({ figures, failed, didNotRun }).toEqual({ figures: [again], failed: [], didNotRun: ['a peer'] });
});

test('a benchmark that exceeds its limit is killed, and its figures are kept', async () => {
  const folder = await emptyFolder();
  const limit = new AbortController();
  const running = run(
    `tell({ figure: ${JSON.stringify(FIGURE)} }); setInterval(() => {}, 1_000);`,
    folder,
    limit.signal,
  );
  await expect.poll(() => readFile(join(folder, 'x.jsonl'), 'utf8').catch(() => '')).toContain('\n');
  limit.abort();
  const { figures, failed } = await running;
  expect({ figures, failed }).toEqual({ figures: [FIGURE], failed: ['it took too long and was ended'] });
});

test('a benchmark that crashes is reported', async () => {
  expect((await run('process.exit(7);')).failed).toEqual(['it ended with code 7']);
  expect((await run('')).failed).toEqual(['it measured nothing']);
});

test('a truncated line is no record', () => {
  expect(trustRecords('{"didNotRun":"a"}\n{"didNot')).toEqual([{ didNotRun: 'a' }]);
});
