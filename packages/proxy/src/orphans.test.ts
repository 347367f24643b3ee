import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAgentRegister, endOrphans } from './orphans.ts';
import { openStateFile } from './state-file.ts';

test('ends the agent of a killed proxy, and no other process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orphans-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const open = () => openStateFile(join(folder, 'proxy.db'), Date.now);
  const agent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  const exited = once(agent, 'exit');
  await once(agent, 'spawn');
  const { pid = 0 } = agent;

  const killed = open();
  await createAgentRegister(killed).began(pid);
  // A reused process id: this process.
  killed.agentBegan(process.pid, 'Mon Jan 1 00:00:00 2024 some agent');
  expect(killed.agents()).toHaveLength(2);
  killed.close();

  const next = open();
  onTestFinished(next.close);
  expect(await endOrphans(next)).toBe(1);
  expect(await exited).toEqual([null, 'SIGKILL']);
  expect(next.agents()).toEqual([]);
});

test('forgets an agent that ended by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orphans-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const state = openStateFile(join(folder, 'proxy.db'), Date.now);
  onTestFinished(state.close);
  const register = createAgentRegister(state);
  const writing = register.began(process.pid);
  register.ended(process.pid);
  await writing;
  expect(state.agents()).toEqual([]);
});
