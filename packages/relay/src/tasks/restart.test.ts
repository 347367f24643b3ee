import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ledger, LedgerError, openSqliteLedger } from '@drawbridge/ledger';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRelayLives } from '../../test/crash/relay-lives.ts';
import {
  call,
  click,
  events,
  lendRemoteTab,
  scriptedBrain,
  startTaskRelay,
} from '../../test/tasks/relay-tasks.ts';
import { readOwnerFile } from '../devices/owner-file.ts';

const MODEL_VARIABLES = [
  ...['DRAWBRIDGE_MODEL', 'DRAWBRIDGE_MODEL_URL', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
  ...['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
];
const CLICK = { prompt: 'Click "Add to cart"' };

test('a relay restarted during an act resumes the task, and the act happens once', async () => {
  const brain = scriptedBrain(click);
  const relay = await startTaskRelay(brain);
  const person = await relay.mint('person');
  const { token } = await relay.mint('runtime');
  const tab = lendRemoteTab(relay.url, token, 'tab_1');
  tab.hold();
  const { task_id } = (await call(relay, person, 'POST /api/tasks', CLICK)).body;
  await tab.begun(1);
  const { promise: stepSeen, resolve } = Promise.withResolvers<void>();
  const before = events(relay, person, task_id, {
    until: ({ event }) => {
      if (event === 'step') resolve();
      return false;
    },
  });
  await stepSeen;
  const again = await relay.restart();
  const seen = (await before).flatMap(({ id }) => id ?? []);

  tab.close();
  lendRemoteTab(again.url, token, 'tab_1', tab.acts);
  const rest = await events(again, person, task_id, { after: seen.at(-1) ?? 0 });
  expect(rest.at(-1)).toMatchObject({ event: 'end', data: { state: 'completed', steps: 1 } });
  expect(tab.acts).toEqual(['element.click 7']);
  expect(brain.inputs.at(-1)?.request).toMatchObject({ lastActionStatus: 'pending' });
  const steps = rest.filter(({ event }) => event === 'step');
  expect(steps).toMatchObject([{ data: { details: { index: 0, status: 'unknown' } } }]);
});

test("a task that cannot be recovered stops neither the relay's start nor other tasks", async () => {
  const first = await startTaskRelay(scriptedBrain(click));
  const person = await first.mint('person');
  const order = async (): Promise<string> =>
    (await call(first, person, 'POST /api/tasks', CLICK)).body.task_id;
  const [bad, good] = [await order(), await order()];
  const broken = (await first.ledger.task(bad))?.session_id;
  await first.close();

  const ledger = await openSqliteLedger({ path: join(first.data, 'ledger.db') });
  onTestFinished(() => ledger.close());
  const commit: Ledger['commit'] = (writes) => {
    const fails = writes.some((write) => 'session_id' in write && write.session_id === broken);
    return fails
      ? Promise.reject(new LedgerError('ledger_io', 'The disk did not take it.'))
      : ledger.commit(writes);
  };
  const again = await startTaskRelay(scriptedBrain(click), {
    data: first.data,
    ledger: { ...ledger, commit },
  });
  expect(again.lines.join('\n')).toContain('task_not_taken_up');
  expect((await call(again, person, `GET /api/tasks/${bad}`)).body).toMatchObject({ state: 'queued' });
  expect((await call(again, person, `GET /api/tasks/${good}`)).body).toMatchObject({ state: 'queued' });
  await again.close();
});

test('a relay killed during an act does not repeat it', async () => {
  // The rules brain decides here: the page shows that the act was done.
  for (const name of MODEL_VARIABLES) vi.stubEnv(name, '');
  const folder = mkdtempSync(join(tmpdir(), 'relay-tasks-'));
  const lives = createRelayLives(folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    lives.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await lives.begin();
  const owner = await readOwnerFile(join(folder, 'data'));
  if (owner === undefined) throw new Error('The relay left no owner file.');
  const url = await lives.url();
  const { token } = (await call({ url }, owner, 'POST /api/devices', { roles: ['runtime'] })).body;
  const tab = lendRemoteTab(url, token, 'tab_1');
  tab.hold();
  const { task_id } = (await call({ url }, owner, 'POST /api/tasks', CLICK)).body;
  await tab.begun(1);
  await lives.kill();
  tab.close();

  await lives.begin();
  const next = { url: await lives.url() };
  expect((await call(next, owner, `GET /api/tasks/${task_id}`)).body).toMatchObject({ state: 'running' });
  lendRemoteTab(next.url, token, 'tab_1', tab.acts);
  const delivered = await events(next, owner, task_id);
  expect(delivered.at(-1)).toMatchObject({ event: 'end', data: { state: 'completed', steps: 1 } });
  expect(tab.acts).toEqual(['element.click 7']);
  await lives.stop();
});
