import { setTimeout as passed } from 'node:timers/promises';
import { createSeededRandom, recordRun } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { createRelayLives } from '../../test/crash/relay-lives.ts';
import { joinPerson, joinTab, playAgent, type ThreadRecord } from '../../test/crash/thread-cast.ts';
import { contradictions, toldThread } from '../../test/crash/thread-check.ts';
import { temporaryFolder } from '../../test/server/test-relay.ts';
import { mcp } from '../../test/threads/thread-harness.ts';

const KILLS = Number(process.env['DRAWBRIDGE_THREAD_KILLS'] ?? 2);
/** Under load a relay takes half a minute to start. */
const PATIENT = { timeout: 200_000, interval: 100 };
const SEED = Number(process.env['DRAWBRIDGE_CRASH_SEED'] ?? 1);

test(
  `[CHT-331] [CHT-342] [CHT-366] ${KILLS} kills in the middle of a thread, seed ${SEED}: the conversation tells what the tab did, and nothing is pressed twice`,
  async () => {
    const random = createSeededRandom(SEED);
    const lives = createRelayLives(await temporaryFolder());
    onTestFinished(lives.close);
    const roles = ['person', 'agent', 'runtime'] as const;
    const [person = '', agent = '', runtime = ''] = await lives.begin(
      roles.map((role) => ({ role, scopes: [] })),
    );
    const tokens = { person, agent, runtime };
    const record: ThreadRecord = {
      ...{ pressed: new Map(), denied: new Set(), done: new Set(), sent: [], paused: false },
      ...{ session_id: undefined, checked: 0 },
    };
    const found = { ok: 0, failed: 0, unknown: 0 };
    let takeovers = 0;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const life = { url: await lives.url(), tokens, random, record };
      const leaveTab = joinTab(life);
      const { order } = await joinPerson(life);
      const tabs = async () => (await mcp(life, agent, 'tabs', { do: 'list' })).text;
      await expect.poll(tabs, PATIENT).toContain('Lamps');
      if (kill > 0) await agrees(life.url, person, record, found);
      if (kill === KILLS) break;
      const playing = playAgent(life);
      playing.catch(() => undefined);
      // A busy machine may not press before the kill.
      if (kill === 0) await expect.poll(() => record.done.size, PATIENT).toBeGreaterThan(0);
      for (let left = random.int(50, 700); left > 0; left -= 50) {
        if (random.int(0, 5) === 0) {
          takeovers += 1;
          await order(record.paused === true ? 'handback' : 'takeover');
        }
        await passed(Math.min(50, left));
      }
      // The kill may come before the answer to the last order.
      const last =
        random.int(0, 1) === 0 ? order(record.paused === true ? 'handback' : 'takeover') : undefined;
      last?.catch(() => undefined);
      await passed(random.int(0, 8));
      await lives.kill();
      await Promise.allSettled([playing, last]);
      leaveTab();
      await lives.begin();
    }
    await lives.kill();
    expect(Math.max(...record.pressed.values())).toBe(1);
    for (const id of record.denied) expect(record.pressed.get(id) ?? 0, id).toBe(0);
    // The kill may have lost the result of the only press that was done.
    expect(found.ok + found.unknown).toBeGreaterThan(0);
    recordRun('thread-kills', {
      title: `${KILLS} kills of a relay in the middle of an agent's thread, seed ${SEED}`,
      command: `DRAWBRIDGE_THREAD_KILLS=${KILLS} DRAWBRIDGE_CRASH_SEED=${SEED} npm run deep -- crash/thread-kill`,
      tables: [{ presses: { sent: record.sent.length, pressed: record.pressed.size, takeovers, ...found } }],
    });
  },
  240_000 + KILLS * 20_000,
);

type Found = Record<'ok' | 'failed' | 'unknown', number>;

/** Waits until the conversation agrees with the tab, after a restart. */
async function agrees(url: string, token: string, record: ThreadRecord, found: Found): Promise<void> {
  const { session_id, pressed, denied, done, paused } = record;
  if (session_id === undefined) return;
  const ids = record.sent.slice(record.checked);
  const did = ids.map((id) => {
    const times = pressed.get(id) ?? 0;
    return [id, { times, isDenied: denied.has(id), isDone: done.has(id) }] as const;
  });
  const told = () => toldThread(url, token, session_id, ids);
  await expect.poll(async () => contradictions(await told(), new Map(did)), PATIENT).toEqual([]);
  const { presses } = await told();
  for (const id of ids) {
    const status = presses.get(id);
    if (status === 'ok' || status === 'failed' || status === 'unknown') found[status] += 1;
  }
  record.checked = record.sent.length;
  const answer = await fetch(`${url}/api/sessions/${session_id}/browser`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { paused_by } = await answer.json();
  if (paused !== undefined) expect(paused_by !== undefined).toBe(paused);
  record.paused = paused_by !== undefined;
}
