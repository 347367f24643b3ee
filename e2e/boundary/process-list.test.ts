import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { startTestRelay } from '@drawbridge/relay/test/server/test-relay';
import { type RunningProgram, startProgram, temporaryFolder } from 'drawbridge/test/live/program-harness';
import { drawbridge } from 'drawbridge/test/terminal';
import { expect, test } from 'vitest';

/** Each test starts processes on a busy machine. */
/** Command lines of every process of the machine, which any of its users can read. */
const commandLines = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return [];
      }
    });

const isOpen = ({ event, state }: Record<string, unknown>) => event === 'relay' && state === 'open';

test.runIf(process.platform === 'linux')(
  'finding 10: the token of a running proxy is in no command line',
  async () => {
    const folder = temporaryFolder();
    const relay = await startTestRelay();
    const { token } = await relay.mint('proxy');
    const file = join(folder, 'token');
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    const agent = `scripted=${JSON.stringify(scriptedAgent().command)}`;
    const start = (args: readonly string[], env = {}): RunningProgram => {
      const common = ['proxy', '--relay', relay.url, '--agent', agent, '--workspace', folder, '--json'];
      return startProgram([...common, '--data', temporaryFolder(), ...args], env);
    };
    const piped = start(['--token', '-']);
    piped.child.stdin?.end(`${token}\n`);
    const programs = [piped, start(['--token-file', file]), start([], { DRAWBRIDGE_TOKEN: token })];
    await Promise.all(programs.map(({ line }) => line(isOpen)));
    const lines = commandLines();
    expect(lines.filter((line) => line.includes(relay.url))).toHaveLength(3);
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
  },
);

const PASSWORD = 'canary-3c8b';

test.each([
  [['proxy', '--token', PASSWORD], '--token-file FILE'],
  [['proxy', 'doctor', '--token', PASSWORD], '--token-file FILE'],
  [['proxy', 'service', 'systemd', '--token', PASSWORD], '--token-file FILE'],
  [['up', '--database', `postgres://u:${PASSWORD}@h/d`, '--bus', 'nats://h'], 'DRAWBRIDGE_DATABASE'],
  [['up', '--database', `postgres://h/d?password=${PASSWORD}`, '--bus', 'nats://h'], 'DRAWBRIDGE_DATABASE'],
  [['up', '--database', 'postgres://u@h/d', '--bus', `nats://${PASSWORD}@h`], 'DRAWBRIDGE_BUS'],
  [['ledger', 'copy', '--from', '/a', '--to', `postgres://u:${PASSWORD}/x@h/d`], 'PGPASSWORD'],
  [['ledger', 'verify', `postgres://u:${PASSWORD}@h/d`], 'PGPASSWORD'],
  [['ledger', 'verify', `postgres://h/d?sslmode=verify-full&sslpassword=${PASSWORD}`], 'PGPASSWORD'],
  [['ledger', 'verify', `postgres://h/d?%70assword=${PASSWORD}`], 'PGPASSWORD'],
  [['proxy', '--relay', `http://127.0.0.1:9/#pair=${PASSWORD}`], '--token -'],
  [['proxy', 'doctor', '--relay', `http://127.0.0.1:9/x?y#pair=${PASSWORD}`], '--token -'],
  [['proxy', 'service', 'systemd', '--relay', `https://h/#pair=${PASSWORD}`], '--token -'],
])('finding 10: a secret on the command line is refused: %j', async (args, advice) => {
  const { code, errors, text } = await drawbridge(args);
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(advice) });
  expect(errors + text).not.toContain(PASSWORD);
});
