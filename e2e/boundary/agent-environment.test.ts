import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProfile, profileNames } from '@drawbridge/proxy';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { startProgram, temporaryFolder } from 'drawbridge/test/live/program-harness';
import { expect, test } from 'vitest';

/** Each test starts processes on a busy machine. */
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
  'OPENROUTER_API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'PG_URL',
  'GITHUB_TOKEN',
  'KUBECONFIG',
  'MY_OWN_SECRET',
];

/** Runs an ACP agent behind the real program that records its environment; returns the canaries in it. */
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
  const report = await doctor.line(({ about }) => about === 'environment');
  await doctor.exited;
  const seen: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  expect(seen['PATH']).toBe(process.env['PATH']);
  const canaries = Object.keys(seen).filter((name) => seen[name]?.includes(CANARY));
  // Reports the names of other variables, never a value.
  const others = NAMES.filter((name) => !canaries.includes(name));
  for (const name of others) expect(String(report['what'])).toContain(name);
  expect(doctor.output.map((line) => JSON.stringify(line)).join()).not.toContain(CANARY);
  return canaries;
}

test('finding 10: an agent behind the proxy gets only ordinary variables', async () => {
  expect(await canariesOf('mine')).toEqual([]);
});

test('finding 10: proxy --env adds exactly the named variables', async () => {
  const args = ['--env', 'DATABASE_URL', '--env', 'AWS_*'];
  expect(await canariesOf('mine', args)).toEqual([
    'DATABASE_URL',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
  ]);
});

test("finding 10: an agent known by name gets only its own provider's variables", async () => {
  expect(await canariesOf('claude')).toEqual(['ANTHROPIC_API_KEY']);
  const inherited = profileNames.map((name) => [name, findProfile(name)?.inherits ?? []]);
  expect(Object.fromEntries(inherited)).toEqual({
    claude: ['ANTHROPIC_*', 'CLAUDE_*'],
    codex: ['OPENAI_*', 'CODEX_*'],
    gemini: [
      'GEMINI_*',
      'GOOGLE_API_KEY',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_GENAI_USE_GCA',
    ],
    opencode: ['OPENCODE_*'],
    copilot: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
  });
});
