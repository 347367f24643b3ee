import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedAgent } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { startProgram, temporaryFolder } from '../../apps/cli/src/live/live.suite.ts';
import { findProfile, profileNames } from '../../packages/proxy/src/index.ts';

/** Each starts processes of its own, on a machine that does more than this. */
const CANARY = 'canary-7d1f';
const NAMES = [
  'DRAWBRIDGE_TOKEN',
  'DRAWBRIDGE_DATABASE',
  'DRAWBRIDGE_BUS',
  'DRAWBRIDGE_MODEL_KEY',
  'DATABASE_URL',
  'PGPASSWORD',
  'NATS_URL',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
];

/** Runs an ACP agent that writes down its environment behind the real program; returns the canaries in it. */
async function canariesOf(agent: string, args: readonly string[] = []): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const file = join(folder, 'environment.json');
  const program = join(folder, 'agent.mjs');
  const [, scripted = ''] = scriptedAgent().command;
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));
     await import(${JSON.stringify(scripted)});`,
  );
  const command = `${agent}=${JSON.stringify([process.execPath, program])}`;
  const env = Object.fromEntries(NAMES.map((name) => [name, `${CANARY}-${name}`]));
  const doctor = startProgram(
    ['proxy', 'doctor', '--agent', command, '--workspace', folder, '--data', folder, '--json', ...args],
    env,
  );
  await doctor.line(({ about, what }) => about === agent && String(what).startsWith('it speaks ACP'));
  await doctor.exited;
  const seen: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  expect(seen['PATH']).toBe(process.env['PATH']);
  return Object.keys(seen).filter((name) => seen[name]?.includes(CANARY));
}

test('finding 10: an agent behind the proxy starts without our tokens, databases and model keys', async () => {
  expect(await canariesOf('mine')).toEqual([]);
});

test('finding 10: proxy --env adds exactly the named variables', async () => {
  expect(await canariesOf('mine', ['--env', 'DATABASE_URL'])).toEqual(['DATABASE_URL']);
});

test("finding 10: an agent known by name gets its own provider's key alone", async () => {
  expect(await canariesOf('claude')).toEqual(['ANTHROPIC_API_KEY']);
  const inherited = profileNames.map((name) => [name, findProfile(name)?.inherits ?? []]);
  expect(Object.fromEntries(inherited)).toEqual({
    claude: ['ANTHROPIC_API_KEY'],
    codex: ['OPENAI_API_KEY'],
    gemini: ['GEMINI_API_KEY'],
    opencode: [],
    copilot: [],
  });
});
