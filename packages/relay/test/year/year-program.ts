import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as passed } from 'node:timers/promises';
import type { Write } from '@drawbridge/ledger';
import { systemClock } from '@drawbridge/link';
import { settingsWrite } from '../../src/server/sessions-api/settings.ts';
import { startRelay } from '../../src/server/start-relay.ts';
import type { YearAnswer, YearOrder } from './year-relay.ts';

/**
 * A relay as a program whose days pass on command: timers of an hour and more follow the compressed clock. The
 * events of a day go through its ledger, beside the traffic on its sockets.
 */
const say = (answer: YearAnswer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Retention's rests between its steps take no time in a compressed year. */
const REST_MS = 20;
const COMMIT_EVENTS = 100;
const TEXT = 'The tests pass now; two files changed, and the server was restarted. '.repeat(3);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async (): Promise<YearOrder | undefined> => {
  const { value } = await lines.next();
  return value === undefined ? undefined : JSON.parse(value);
};
const first = await next();
if (first?.do !== 'start') throw new Error('The first order starts the relay.');
const { data, retentionDays } = first;
let { now } = first;

/** Retention's rest between its turns. */
const SWEEP_EVERY_MS = 6 * HOUR_MS;
interface LongTimer {
  readonly ms: number;
  readonly due: number;
  readonly run: () => void;
}
const timers = new Set<LongTimer>();
const clock = {
  now: () => now,
  after(ms: number, run: () => void) {
    if (ms <= REST_MS) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    if (ms < HOUR_MS) return systemClock.after(ms, run);
    const timer = { ms, due: now + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  },
};
/** Resolves when no turn of retention is running: the next one has its timer. */
async function isSwept(): Promise<void> {
  while (![...timers].some(({ ms }) => ms === SWEEP_EVERY_MS)) await passed(5);
}
async function passDay(): Promise<void> {
  await isSwept();
  now += DAY_MS;
  for (const timer of [...timers]) {
    if (timer.due <= now && timers.delete(timer)) timer.run();
  }
  await isSwept();
}

const relay = await startRelay({ data, port: 0, clock }).catch((error: unknown) => {
  say({ refused: error instanceof Error ? error.message : String(error) });
  process.exit(0);
});
const { ledger } = relay;
await ledger.commit([settingsWrite({ retention_days: retentionDays })]);
const mint = async (role: 'person' | 'proxy'): Promise<string> =>
  (await relay.devices.mint({ roles: [role], scopes: [], label: role, by: 'machine' })).token;
say({ url: relay.url, person: await mint('person'), proxy: await mint('proxy') });

/** One conversation with that many messages, closed at the end of its day. */
async function record(session_id: string, events: number): Promise<void> {
  const created = { do: 'create_session', session_id, proxy_device_id: 'year', at: now } as const;
  await ledger.commit([{ ...created, metadata: { agent_type: 'codex' } }]);
  let commits: Promise<unknown>[] = [];
  for (let from = 0; from < events; from += COMMIT_EVENTS) {
    const count = Math.min(COMMIT_EVENTS, events - from);
    const writes = Array.from({ length: count }, (_, n): Write => {
      const message_id = `${session_id}-${from + n}`;
      const message = { message_id, role: 'assistant', content: `${from + n} ${TEXT}` };
      const event_id = `evt-${message_id}`;
      return {
        ...{ do: 'append_event', session_id, event_id, type: 'message_event' },
        ...{ payload: { message }, message_id, at: now },
      };
    });
    commits.push(ledger.commit(writes));
    if (commits.length < 8) continue;
    await Promise.all(commits);
    commits = [];
  }
  await Promise.all(commits);
  await ledger.commit([{ do: 'update_session', session_id, closed_at: now }]);
}

/** Resolves when retention has deleted this session. */
async function isGone(session_id: string): Promise<void> {
  while ((await ledger.session(session_id)) !== undefined) await passed(5);
}

const sizeOf = (name: string): number => statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0;

for (let order = await next(); order !== undefined; order = await next()) {
  if (order.do === 'stop') break;
  if (order.do === 'backup') await ledger.backup(order.path);
  if (order.do === 'day') {
    await record(order.session_id, order.events);
    await passDay();
    if (order.forgets !== undefined) await isGone(order.forgets);
  }
  const bytes = sizeOf('ledger.db') + sizeOf('ledger.db-wal');
  say({ now, rss: process.memoryUsage.rss(), bytes });
}
await relay.close();
process.exit(0);
