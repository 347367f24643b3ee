import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSeededRandom, recordRun } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../test/crash/client-log.ts';
import { startBrowser } from '../../test/crash/crash-browser.ts';
import { startProxy } from '../../test/crash/crash-proxy.ts';
import { createOutages } from '../../test/crash/outages.ts';
import { createRelayLives } from '../../test/crash/relay-lives.ts';

/** `npm run deep` sets a higher count. */
const KILLS = Number(process.env['DRAWBRIDGE_KILLS'] ?? 5);
/** At this rate a session's queue may be full, and those sends are retried. */
const IS_DEEP = process.env['DRAWBRIDGE_DEEP'] !== undefined;
/** Checking the result of many kills takes a while. */
const CHECK_MS = 240_000 + KILLS * 500;
/** Fewer for a machine that has other work. */
const BROWSERS = Number(process.env['DRAWBRIDGE_CRASH_BROWSERS'] ?? 20);
const PROXIES = 4;
const SESSIONS = 8;
const CHECKER = fileURLToPath(new URL('../../test/crash/checker.ts', import.meta.url));

/** Lets the checker read a run of 500 faults, which has millions of events. */
const MEMORY = '--max-old-space-size=16384';

const sessionOf = (number: number): string => `session-${number % SESSIONS}`;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

const SEED = Number(process.env['DRAWBRIDGE_CRASH_SEED'] ?? 1130);
/** In turn, so that a short run has each of them. */
const FAULTS = ['kill', 'stop', 'freeze', 'kill twice', 'cut'] as const;
const FROZEN_MS = 1_500;
const outages = createOutages(range(BROWSERS).map((n) => `browser-${n}`));

let folder = '';
beforeAll(
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'drawbridge-crash-'));
    await killAgainAndAgain(folder);
  },
  240_000 + KILLS * 20_000,
);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function killAgainAndAgain(at: string): Promise<void> {
  const logs = join(at, 'logs');
  mkdirSync(logs);
  const random = createSeededRandom(SEED);
  const lives = createRelayLives(at);
  const close: (() => void)[] = [lives.close];
  try {
    const tokens = await lives.begin([
      ...range(PROXIES).map(() => ({ role: 'proxy', scopes: [] }) as const),
      ...range(BROWSERS).map((n) => ({ role: 'person', scopes: [`session:${sessionOf(n)}`] }) as const),
    ]);
    const proxies = range(PROXIES).map((n) => {
      const session_ids = range(SESSIONS)
        .filter((each) => each % PROXIES === n)
        .map(sessionOf);
      return startProxy(lives, { token: tokens[n] ?? '', session_ids, log: openLog(logs, `proxy-${n}`) });
    });
    close.push(...proxies.map((proxy) => proxy.close));
    await Promise.all(proxies.map(({ announced }) => announced));
    const browsers = range(BROWSERS).map((n) => {
      const name = `browser-${n}`;
      const token = tokens[PROXIES + n] ?? '';
      const insists = IS_DEEP;
      return startBrowser(lives, {
        name,
        token,
        session_id: sessionOf(n),
        log: openLog(logs, name),
        insists,
        onServed: (service, since) => outages.served(name, service, since),
      });
    });
    close.push(...browsers.map((browser) => browser.close));
    // The checker's own tests need deliveries, and on a busy machine the first kill may precede them.
    await Promise.all(browsers.map(({ delivered }) => delivered));
    const again = async (): Promise<void> => void (await lives.begin());
    const faults: Readonly<Record<(typeof FAULTS)[number], () => Promise<void>>> = {
      kill: () => lives.kill().then(again),
      stop: () => lives.stop().then(again),
      freeze: () => lives.freeze(random.int(20, FROZEN_MS)),
      async 'kill twice'() {
        await lives.kill().then(again);
        await passed(random.int(0, 300));
        await lives.kill().then(again);
      },
      async cut() {
        for (const { cut } of [...proxies, ...browsers]) cut();
      },
    };
    for (let fault = 0; fault < KILLS; fault += 1) {
      await passed(random.int(20, 800));
      const kind = FAULTS[fault % FAULTS.length] ?? 'kill';
      const inFlight = browsers.reduce((sum, { unsettled }) => sum + unsettled(), 0);
      await outages.during(kind, inFlight, faults[kind]);
    }
    await Promise.all(browsers.map(({ settle }) => settle()));
    for (const end of close.slice(1)) end();
    await lives.stop();
  } finally {
    for (const end of close) end();
  }
}

async function check(logs: string, ledger: string) {
  const { stdout } = await promisify(execFile)(process.execPath, [MEMORY, CHECKER, logs, ledger]);
  return trustReport(stdout);
}

interface Report {
  readonly accepted: number;
  readonly injected: number;
  readonly repeated: number;
  readonly delivered: number;
  readonly unknown: number;
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
  readonly swallowed: number;
  readonly events: number;
  readonly problems: readonly string[];
}

function trustReport(text: string): Report {
  return JSON.parse(text);
}

test(
  '[CHT-130] [CHT-136] [CHT-142] [CHT-143] [CHT-154] [CHT-300] killed again and again under load, the relay has all that it accepted, once, in sequence, and each has an outcome',
  async () => {
    const report = await check(join(folder, 'logs'), join(folder, 'data', 'ledger.db'));
    expect(report.problems).toEqual([]);
    expect(report.accepted).toBeGreaterThan(KILLS);
    const { problems: _, injected: __, ...counts } = report;
    expect(counts).toMatchObject({ lost: 0, doubled: 0, reordered: 0, swallowed: 0 });
    recordRun('one-node', {
      title: `${KILLS} faults of one node under load, seed ${SEED}`,
      command: `DRAWBRIDGE_KILLS=${KILLS} DRAWBRIDGE_CRASH_SEED=${SEED} npm run deep -- crash/crash.test`,
      tables: [{ sends: counts }, outages.table()],
    });
    // The proxies keep a record of their injections.
    expect(counts.unknown).toBeLessThanOrEqual(outages.inFlight() / 100);
  },
  CHECK_MS,
);

/** The result of a run with one injected violation. */
type Mutant = (logs: string, ledger: DatabaseSync) => Promise<unknown> | unknown;

const BROWSER = 'browser-0.jsonl';
const addLine = (logs: string, file: string, entry: object) =>
  appendFile(join(logs, file), `${JSON.stringify({ session_id: 'session-0', ...entry })}\n`);
/** Edits the lines of one browser's log. */
const changeLines = async (logs: string, change: (lines: readonly string[]) => readonly string[]) => {
  const path = join(logs, BROWSER);
  await writeFile(path, change((await readFile(path, 'utf8')).split('\n')).join('\n'));
};
const isSight = (line: string) => line.includes('"did":"see"');
const repeatEvent = (type: string) => `
  INSERT INTO events (session, sequence, event_id, type, at, message_id, payload, prev_hash, hash)
    SELECT session, head + 1, 'planted', type, at, message_id, payload, prev_hash, hash
    FROM events JOIN sessions USING (session) WHERE type = '${type}' LIMIT 1`;

test.each<[string, RegExp, Mutant]>([
  [
    'an acceptance that the ledger does not have',
    /^lost: planted was accepted$/,
    (logs) =>
      addLine(logs, BROWSER, { did: 'accepted', id: 'planted', sequence: 5, event_id: 'evt_planted' }),
  ],
  [
    'an accepted message whose row is gone',
    /^lost: .* was accepted$/,
    (_, ledger) => ledger.exec('DELETE FROM messages WHERE message = (SELECT max(message) FROM messages)'),
  ],
  [
    'an event that the ledger has under another id',
    /^lost: browser-0.jsonl saw/,
    (_, ledger) =>
      ledger.exec(
        "UPDATE events SET event_id = 'planted' WHERE sequence = 3 AND session = (SELECT session FROM sessions WHERE session_id = 'session-0')",
      ),
  ],
  [
    'a send that is accepted twice',
    /^duplicate: message_accepted/,
    (_, ledger) => ledger.exec(repeatEvent('message_accepted')),
  ],
  [
    'a message that stands there twice',
    /^duplicate: message_event/,
    (_, ledger) => ledger.exec(repeatEvent('message_event')),
  ],
  ['a second outcome', /^duplicate: outcome/, (_, ledger) => ledger.exec(repeatEvent('message_delivered'))],
  [
    'a hole in the ledger',
    /^gap or repeat in session/,
    (_, ledger) => ledger.exec('DELETE FROM events WHERE sequence = 7'),
  ],
  [
    'a hole in what a browser saw',
    /^gap or repeat: browser-0/,
    (logs) => changeLines(logs, (lines) => lines.toSpliced(lines.findIndex(isSight), 1)),
  ],
  [
    'an event that a browser saw twice',
    /^gap or repeat: browser-0/,
    (logs) =>
      changeLines(logs, (lines) =>
        lines.toSpliced(lines.findLastIndex(isSight), 0, lines.findLast(isSight) ?? ''),
      ),
  ],
  [
    'a message that still waits',
    /^swallowed: .* has no outcome$/,
    (_, ledger) => ledger.exec("UPDATE messages SET state = 'accepted' WHERE message = 1"),
  ],
  [
    'an injection that was made twice',
    /^duplicate: .* was injected for the second time$/,
    async (logs) => {
      const log = join(logs, 'proxy-0.jsonl');
      const line = (await readFile(log, 'utf8')).split('\n').find((each) => each.includes('"did":"inject"'));
      await appendFile(log, `${line}\n`);
    },
  ],
  [
    'a send that was forwarded again as the same attempt',
    /^duplicate: .* was forwarded as attempt 2 after 2$/,
    (logs) => addLine(logs, 'proxy-0.jsonl', { did: 'repeat', id: 'browser-0-1', attempt: 2, before: 2 }),
  ],
  [
    'injections in another order',
    /^reordered: /,
    async (logs) => {
      const log = join(logs, 'proxy-0.jsonl');
      const lines = (await readFile(log, 'utf8')).split('\n');
      const isInjection = (line: string) => line.includes('"did":"inject","session_id":"session-0"');
      const [first, last] = [lines.findIndex(isInjection), lines.findLastIndex(isInjection)];
      const swapped = lines.with(first, lines[last] ?? '').with(last, lines[first] ?? '');
      await writeFile(log, swapped.join('\n'));
    },
  ],
  [
    'a send that the relay swallowed',
    /^swallowed: browser-0.jsonl was never told of session-0 planted$/,
    (logs) => addLine(logs, BROWSER, { did: 'send', id: 'planted' }),
  ],
  [
    'a delivery that never was',
    /^swallowed: .* is delivered, and was never injected$/,
    (_, ledger) =>
      ledger.exec(
        "UPDATE messages SET state = 'delivered', error = NULL WHERE message = (SELECT max(message) FROM messages WHERE state = 'failed' AND error LIKE '%injection%')",
      ),
  ],
])(
  'the checker finds %s',
  async (_what, problem, mutant) => {
    const planted = await mkdtemp(join(folder, 'planted-'));
    await cp(join(folder, 'logs'), join(planted, 'logs'), { recursive: true });
    const path = join(planted, 'ledger.db');
    await cp(join(folder, 'data', 'ledger.db'), path);
    const ledger = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    // Disables the ledger's row checks, which the checker does not rely on.
    ledger.function('row_check', { deterministic: true, varargs: true }, () => 0);
    await mutant(join(planted, 'logs'), ledger);
    ledger.close();
    const { problems, lost, doubled, reordered, swallowed } = await check(join(planted, 'logs'), path);
    expect(problems).toContainEqual(expect.stringMatching(problem));
    const counts: Readonly<Record<string, number>> = { lost, duplicate: doubled, reordered, swallowed };
    const [kind = ''] = /\w+/.exec(problem.source) ?? [];
    if (kind in counts) expect(counts[kind]).toBeGreaterThan(0);
  },
  CHECK_MS,
);
