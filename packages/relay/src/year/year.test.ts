import {
  copyFileSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { repairSqliteFile, verifySqliteFile } from '@drawbridge/ledger';
import { addRowCheck } from '@drawbridge/ledger/sqlite/row-check';
import { ledgerFolder, writtenBy } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { connectChat, type SendOutcome } from '@drawbridge/link/chat';
import { recordRun } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../test/crash/crash-proxy.ts';
import { type DayEnd, startYearRelay, type YearRelay } from '../../test/year/year-relay.ts';

/** `npm run deep` sets a higher count, and then the year has all its days. */
const EVENTS = Number(process.env['DRAWBRIDGE_YEAR_EVENTS'] ?? 2_000);
const DAYS = EVENTS < 100_000 ? 40 : 365;
const RETENTION_DAYS = 7;
const SENDS_PER_DAY = 3;
/** Long, because a disk and processors may be shared. */
const LIMIT_MS = 1_800_000 + EVENTS * 2;

/** `row_check` as versions 2 to 4 computed it. */
function oldRowCheck(...values: SQLOutputValue[]): number {
  const text = values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : `${value}`,
  );
  return crc32(text.map((each) => `${each}\u001f`).join(''));
}

/** The ledger of a relay of that schema, as it was built then. */
async function writeOld(path: string, schema: number): Promise<void> {
  const old = new DatabaseSync(path);
  old.function('row_check', { deterministic: true, varargs: true }, oldRowCheck);
  old.exec(await writtenBy(schema));
  // A proxy's session has these fields; the sample's prompt has no choices.
  old.exec(`DELETE FROM prompts;
    UPDATE sessions SET metadata = json_set(metadata, '$.session_id', session_id, '$.status', 'healthy')`);
  old.close();
  await chmod(path, 0o600);
}

/** Turns the bits of a kilobyte of the file. */
function damage(path: string, at: number): void {
  const file = openSync(path, 'r+');
  const bytes = Buffer.alloc(1_024);
  readSync(file, bytes, 0, bytes.length, at);
  writeSync(
    file,
    bytes.map((byte) => byte ^ 0xff),
    0,
    bytes.length,
    at,
  );
}

interface Upset {
  readonly name: string;
  /** How the relay ends before it. */
  readonly end: 'stop' | 'kill';
  readonly strike: (path: string) => void;
  /** True when the relay has to refuse the file until it is repaired. */
  readonly isRefused?: boolean;
  /** Share of the events that must be there afterwards; 1 by default. */
  readonly keeps?: number;
}

const restored = (path: string): string => `${path}.backup`;

function restore(path: string): void {
  for (const end of ['-wal', '-shm', '.mark', '.search']) rmSync(`${path}${end}`, { force: true });
  copyFileSync(restored(path), path);
}

/** Repairs the file, or restores the backup when nothing of it can be read, like an operator. */
function saveOrRestore(path: string, now: number): 'repaired' | 'restored' {
  try {
    repairSqliteFile(path, now);
    return 'repaired';
  } catch {
    restore(path);
    return 'restored';
  }
}

/** In this order, at equal distances over the first half of the year. */
const UPSETS: readonly Upset[] = [
  { name: 'a restart', end: 'stop', strike: () => {} },
  { name: 'a kill', end: 'kill', strike: () => {} },
  {
    name: 'a damaged search index',
    end: 'stop',
    strike: (path) => writeFileSync(`${path}.search`, 'no index'),
  },
  {
    name: 'a kill, and the mark of the commits is lost',
    end: 'kill',
    strike: (path) => rmSync(`${path}.mark`),
    isRefused: true,
  },
  {
    name: 'a damaged page',
    end: 'stop',
    strike: (path) => damage(path, Math.floor(statSync(path).size * 0.6)),
    keeps: 0.8,
  },
  {
    name: 'a file that was cut in half',
    end: 'stop',
    strike: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    isRefused: true,
    keeps: 0.3,
  },
  { name: 'a restored backup', end: 'stop', strike: restore, keeps: 0.3 },
];

const toText = (outcome: SendOutcome): string =>
  outcome.status === 'failed' && outcome.indeterminate ? 'unknown' : outcome.status;

/** A session of this life, with a person who sends and an agent that takes it. */
async function visit(relay: YearRelay, session_id: string, log: (problem: unknown) => void) {
  const proxy = startProxy(
    { url: async () => relay.url },
    {
      token: relay.proxy,
      session_ids: [session_id],
      log: (entry) => entry.did === 'wonder' && log(entry.frame),
    },
  );
  const person = connectChat({
    url: `${relay.url.replace('http', 'ws')}/ws/chat`,
    ...{ token: relay.person, peer_role: 'browser', client_name: 'test' },
  });
  person.onProblem(log);
  const close = (): void => {
    person.close();
    proxy.close();
  };
  onTestFinished(close);
  await proxy.announced;
  return {
    close,
    /** The outcomes of a day's sends. */
    async send(): Promise<readonly string[]> {
      const sends = Array.from({ length: SENDS_PER_DAY }, (_, n) =>
        person.sendMessage({ session_id, content: `send ${n}` }),
      );
      return await Promise.all(sends.map(({ outcome }) => outcome.then(toText)));
    },
    async search(word: string): Promise<number> {
      const headers = { authorization: `Bearer ${relay.person}` };
      const answer = await fetch(`${relay.url}/api/search?q=${word}`, { headers });
      const { hits } = await answer.json();
      return hits.length;
    },
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const megabytes = (bytes: number): number => Number((bytes / 1e6).toFixed(1));

/** Size of a file with nothing but the rows that the ledger keeps. */
function keptBytes(path: string): number {
  const fresh = `${path}.fresh`;
  const database = new DatabaseSync(path);
  addRowCheck(database);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.prepare('VACUUM INTO ?').run(fresh);
  database.close();
  return statSync(fresh).size;
}

const SCHEMAS: readonly (readonly [schema: number, events: number])[] =
  EVENTS < 100_000
    ? [[2, EVENTS]]
    : [
        [2, EVENTS],
        [3, Math.ceil(EVENTS / 100)],
        [4, Math.ceil(EVENTS / 100)],
      ];

test.each(SCHEMAS)(
  '[CHT-130] a year from schema %i with %i events, restarts, damaged files and retention leaves the file small, the memory flat and every send with its outcome',
  async (schema, events) => {
    const data = await ledgerFolder();
    const path = join(data, 'ledger.db');
    await writeOld(path, schema);
    const problems: unknown[] = [];
    const happened: Record<string, Record<string, number | string>> = {};
    const ends: DayEnd[] = [];
    const outcomes: string[] = [];
    let now = Date.UTC(2026, 0, 1);
    let life = 0;

    const begin = async (isRefused: boolean) => {
      life += 1;
      let started = await startYearRelay(data, now, RETENTION_DAYS);
      expect('refused' in started).toBe(isRefused);
      let remedy = 'none';
      if ('refused' in started) {
        remedy = saveOrRestore(path, now);
        started = await startYearRelay(data, now, RETENTION_DAYS);
      }
      if ('refused' in started) throw new Error(started.refused);
      expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
      return {
        relay: started,
        remedy,
        client: await visit(started, `life-${life}`, (problem) => problems.push(problem)),
      };
    };

    let { relay, client } = await begin(false);
    const distance = Math.floor(DAYS / 2 / UPSETS.length);
    const sessionOf = (day: number): string => `day-${day}`;
    for (let day = 0; day < DAYS; day += 1) {
      const recorded = day - RETENTION_DAYS - 1;
      const order = { do: 'day', session_id: sessionOf(day), events: Math.ceil(events / DAYS) } as const;
      const ended = await relay.ask({ ...order, forgets: recorded < 0 ? undefined : sessionOf(recorded) });
      now = ended.now;
      ends.push(ended);
      outcomes.push(...(await client.send()));
      if (day % 30 === 29) expect(await client.search('restarted')).toBeGreaterThan(0);
      const upset = day % distance === distance - 1 ? UPSETS[Math.floor(day / distance)] : undefined;
      if (upset === undefined) continue;
      if (upset.name === 'a damaged search index') await relay.ask({ do: 'backup', path: restored(path) });
      client.close();
      await relay[upset.end]();
      const before = verifySqliteFile(path).events;
      upset.strike(path);
      const found = verifySqliteFile(path).damage;
      // A damaged page need not keep the relay from starting.
      const isSeen = found !== undefined && upset.isRefused !== true;
      const saved = isSeen ? saveOrRestore(path, now) : undefined;
      const begun = await begin(upset.isRefused === true);
      ({ relay, client } = begun);
      const after = verifySqliteFile(path).events;
      happened[upset.name] = {
        ...{
          day,
          found: found?.problem.replaceAll(`${data}/`, '') ?? 'nothing',
          remedy: saved ?? begun.remedy,
        },
        ...{ 'events before': before, 'events after': after },
      };
      expect(after, upset.name).toBeGreaterThanOrEqual(before * (upset.keeps ?? 1));
    }
    client.close();
    await relay.stop();

    expect(problems).toEqual([]);
    // The test's agent declines one of seventeen.
    expect(new Set(outcomes)).toEqual(new Set(['delivered', 'failed']));
    const { damage: left, ...counted } = verifySqliteFile(path);
    expect(left).toBeUndefined();
    const tenth = Math.floor(DAYS / 10);
    const rssOf = (days: readonly DayEnd[]): number => median(days.map(({ rss }) => rss));
    const [early, late] = [rssOf(ends.slice(tenth, 2 * tenth)), rssOf(ends.slice(-tenth))];
    const last = statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
    const kept = keptBytes(path);
    recordRun(`year-from-${schema}`, {
      title: `A compressed year of ${DAYS} days with ${events} events, from schema ${schema}`,
      command: `DRAWBRIDGE_YEAR_EVENTS=${EVENTS} npm run deep -- relay/src/year`,
      tables: [
        happened,
        {
          'at the end': {
            ...{ 'events kept': counted.events, sends: outcomes.length, lives: life },
            ...{
              'MB at most': megabytes(Math.max(...ends.map(({ bytes }) => bytes))),
              'MB at the end': megabytes(last),
            },
            ...{ 'MB kept': megabytes(kept), 'file / kept': Number((last / kept).toFixed(2)) },
            ...{ 'RSS MB, second tenth': megabytes(early), 'RSS MB, last tenth': megabytes(late) },
            'last / second tenth': Number((late / early).toFixed(2)),
          },
        },
      ],
    });
    // A short year has hardly more rows than the pages that stay free for the next ones.
    if (DAYS < 365) return;
    expect(last).toBeLessThanOrEqual(kept * 1.3);
    expect(late).toBeLessThanOrEqual(early * 1.2);
  },
  LIMIT_MS,
);
