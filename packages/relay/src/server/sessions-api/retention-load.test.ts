import { setTimeout as passed } from 'node:timers/promises';
import type { Write } from '@drawbridge/ledger';
import { ledgerFolder } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { connectChat } from '@drawbridge/link/chat';
import { recordRun } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../../test/crash/crash-proxy.ts';
import { startRelay } from '../start-relay.ts';
import { settingsWrite } from './settings.ts';

/** `npm run deep` sets a higher count. */
const EVENTS = Number(process.env['DRAWBRIDGE_RETENTION_EVENTS'] ?? 2_000);
const SESSIONS = 10;
const COMMIT_EVENTS = 100;
const RETENTION_DAYS = 30;
const OLD_MS = 60 * 86_400_000;
/** Between two sends: about 100 a second. */
const PAUSE_MS = 10;
const TEXT = 'The tests pass now; two files changed, and the server was restarted. '.repeat(3);

const sessionOf = (index: number): string => `old-${index}`;

/** A closed conversation, one commit after the other. */
function oldCommits(session_id: string, at: number): readonly (readonly Write[])[] {
  const create: Write = {
    do: 'create_session',
    session_id,
    proxy_device_id: 'old',
    metadata: { session_id, agent_type: 'codex', status: 'healthy' },
    at,
  };
  const events = Array.from({ length: EVENTS / SESSIONS }, (_, n): Write => {
    const message_id = `${session_id}-${n}`;
    return {
      ...{ do: 'append_event', session_id, event_id: `evt-${message_id}`, type: 'message_event' },
      ...{ payload: { message: { message_id, role: 'assistant', content: `${n} ${TEXT}` } }, message_id, at },
    };
  });
  const commits = Array.from({ length: Math.ceil(events.length / COMMIT_EVENTS) }, (_, n) =>
    events.slice(n * COMMIT_EVENTS, (n + 1) * COMMIT_EVENTS),
  );
  return [[create], ...commits, [{ do: 'update_session', session_id, closed_at: at }]];
}

function figuresOf(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1));
  return { sends: times.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'max ms': at(1) };
}

test(
  `accepts and delivers each send while retention deletes ${EVENTS} events`,
  async () => {
    const data = await ledgerFolder();
    const filled = await startRelay({ data, port: 0 });
    const old = Date.now() - OLD_MS;
    for (let index = 0; index < SESSIONS; index += 1)
      for (const writes of oldCommits(sessionOf(index), old)) await filled.ledger.commit(writes);
    await filled.ledger.commit([settingsWrite({ retention_days: RETENTION_DAYS })]);
    await filled.close();

    // Retention begins with the relay.
    const relay = await startRelay({ data, port: 0 });
    onTestFinished(() => relay.close());
    const mint = async (role: 'person' | 'proxy') =>
      (await relay.devices.mint({ roles: [role], scopes: [], label: role, by: 'machine' })).token;
    const problems: unknown[] = [];
    const proxy = startProxy(
      { url: async () => relay.url },
      { token: await mint('proxy'), session_ids: ['live'], log: () => {} },
    );
    onTestFinished(proxy.close);
    const person = connectChat({
      url: `${relay.url.replace('http', 'ws')}/ws/chat`,
      ...{ token: await mint('person'), peer_role: 'browser', client_name: 'test' },
    });
    onTestFinished(() => person.close());
    person.onProblem((problem) => problems.push(problem));
    await proxy.announced;

    const outcomes: Promise<unknown>[] = [];
    const sendWhile = async (goesOn: () => Promise<boolean>): Promise<readonly number[]> => {
      const times: Promise<number>[] = [];
      while (await goesOn()) {
        const since = performance.now();
        const { accepted, outcome } = person.sendMessage({ session_id: 'live', content: TEXT });
        times.push(accepted.then(() => performance.now() - since));
        outcomes.push(outcome);
        await passed(PAUSE_MS);
      }
      return await Promise.all(times);
    };
    const isSweeping = async (): Promise<boolean> =>
      (await relay.ledger.session(sessionOf(SESSIONS - 1))) !== undefined;
    const during = await sendWhile(isSweeping);
    let left = during.length;
    const after = await sendWhile(async () => left-- > 0);

    expect(problems).toEqual([]);
    expect(during.length).toBeGreaterThan(0);
    expect(await Promise.all(outcomes)).toHaveLength(during.length + after.length);
    for (let index = 0; index < SESSIONS; index += 1)
      expect(await relay.ledger.session(sessionOf(index))).toBeUndefined();
    recordRun('retention', {
      title: `Acceptance of sends while retention deletes ${EVENTS} events, and afterwards`,
      command: `DRAWBRIDGE_RETENTION_EVENTS=${EVENTS} npm run deep -- retention-load`,
      tables: [{ 'during retention': figuresOf(during), afterwards: figuresOf(after) }],
    });
  },
  240_000 + EVENTS * 5,
);
