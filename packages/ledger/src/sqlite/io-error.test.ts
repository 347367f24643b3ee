import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeep } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { send, session } from '../../test/samples.ts';
import { type Failing, FailingDatabase } from '../../test/sqlite/failing-database.ts';
import { LedgerError } from '../ledger-error.ts';
import type { CommitResult } from '../writes.ts';
import { SqliteStore } from './store.ts';
import { verifySqliteFile } from './verification.ts';

vi.setConfig({ testTimeout: 300_000 });

const MESSAGES = Array.from({ length: 50 }, (_, number) => `m${number}`);
const GROUP = 5;
/** `npm run deep` fails every operation; a step that shares no factor with the group meets each kind. */
const STEP = isDeep ? 1 : 4;

/** Uses memory as a disk where possible, because the test creates hundreds of ledgers. */
async function quickFolder(): Promise<string> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'drawbridge-io-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

interface Run {
  readonly operations: number;
  readonly refused: readonly LedgerError[];
}

/** Fifty sends while the disk fails, and the result when it works again. */
function runScenario(path: string, failing: Failing | undefined): Run {
  let database: FailingDatabase | undefined;
  const store = new SqliteStore({ path, maxBytes: 1e9, newEpoch: false }, (file, options) => {
    database = new FailingDatabase(file, options);
    return database;
  });
  store.commitGroup([[session('a')]]);
  database?.arm(failing);
  const acknowledged = new Map<string, number>();
  const refused: LedgerError[] = [];
  const give = (ids: readonly string[]): void => {
    const outcomes = store.commitGroup(ids.map((id) => [send('a', id)]));
    expect(outcomes).toHaveLength(ids.length);
    for (const [index, id] of ids.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof LedgerError) refused.push(outcome);
      else acknowledged.set(id, sequenceOf(outcome));
    }
  };
  for (let at = 0; at < MESSAGES.length; at += GROUP) give(MESSAGES.slice(at, at + GROUP));
  const operations = database?.operations ?? 0;
  database?.arm(undefined);

  const early = store.reads.eventsAfter('a', 0, 99);
  for (const [id, sequence] of acknowledged) {
    expect(early?.events[sequence - 1]).toMatchObject({ event_id: `accepted-${id}`, sequence });
  }
  give(MESSAGES.filter((id) => !acknowledged.has(id)));
  expect([...acknowledged.values()].toSorted((a, b) => a - b)).toEqual(MESSAGES.map((_, index) => index + 1));
  store.close();
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: MESSAGES.length });
  return { operations, refused };
}

/** Sequence of the acceptance, now or before. */
function sequenceOf(outcome: CommitResult | undefined): number {
  if (outcome?.committed === false && outcome.refusal.reason === 'message_repeated') {
    return outcome.refusal.message.sequence;
  }
  const results: readonly object[] = outcome?.committed
    ? outcome.results.filter((each) => each !== null)
    : [];
  const [appended = {}] = results;
  return 'sequence' in appended ? Number(appended.sequence) : Number.NaN;
}

test.each([
  ['is not done', 'before', 1],
  ['is done and reported as failed', 'after', 1],
  ['is not done, nor are the next twenty', 'before', 20],
] as const)(
  '[CHT-130] [CHT-142] wherever an operation %s, nothing is acknowledged that is not there, and all is there once when the disk works again',
  async (_how, when, length) => {
    const folder = await quickFolder();
    const { operations, refused } = runScenario(join(folder, 'whole.db'), undefined);
    expect(refused).toEqual([]);
    expect(operations).toBeGreaterThan(2 * MESSAGES.length);
    let failures = 0;
    for (let from = 1; from <= operations; from += STEP) {
      const failing = { when, from, through: from + length - 1 };
      const run = runScenario(join(folder, `${from}.db`), failing);
      for (const { code } of run.refused) expect([from, code]).toEqual([from, 'ledger_io']);
      failures += run.refused.length;
      await rm(join(folder, `${from}.db`));
    }
    // A single failure is compensated, because a failed group is retried one by one.
    if (length > 1) expect(failures).toBeGreaterThan(operations / STEP);
  },
);
