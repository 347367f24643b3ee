import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { promisify } from 'node:util';
import { installed, OFFERED_ROLES, type Peer } from './peer.ts';
import { STANDS_FOR } from './recall.ts';

const run = promisify(execFile);
const ASKED_AT_ONCE = 200;
const TIMEOUT_MS = 90_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

/** The binary itself, without the script that only finds and starts it. */
const SUFFIX = process.platform === 'win32' ? '.exe' : '';
const PROGRAM = installed(`agent-browser/bin/agent-browser-${process.platform}-${process.arch}${SUFFIX}`);

/** A CLI with a daemon: each snapshot is a command, as an agent would run it. */
export const agentBrowserPeer: Peer = {
  name: 'agent-browser -i',
  async start({ port }) {
    chmodSync(PROGRAM, 0o755);
    const session = `drawbridge-bench-${port}`;
    const command = async (...args: readonly string[]) => {
      const { stdout } = await run(PROGRAM, ['--session', session, '--cdp', String(port), ...args], {
        timeout: TIMEOUT_MS,
        maxBuffer: MOST_OUTPUT,
      });
      return stdout;
    };
    return {
      look: () => command('snapshot', '-i'),
      async marks(answer) {
        const marks: string[] = [];
        const refs = offeredRefs(answer);
        for (let start = 0; start < refs.length; start += ASKED_AT_ONCE) {
          const asked = refs
            .slice(start, start + ASKED_AT_ONCE)
            .map((ref) => `get attr @${ref} ${STANDS_FOR}`);
          const told: readonly Told[] = JSON.parse(await command('batch', '--json', ...asked));
          marks.push(...told.map(({ result }) => result?.value ?? ''));
        }
        return marks;
      },
      close: async () => {
        await command('close');
      },
    };
  },
};

interface Told {
  readonly result?: { readonly value?: string | null } | null;
}

function offeredRefs(answer: string): string[] {
  return answer.split('\n').flatMap((line) => {
    const [, role = ''] = /^\s*- (\w+)/.exec(line) ?? [];
    const [, ref] = /ref=(\w+)/.exec(line) ?? [];
    return ref !== undefined && (OFFERED_ROLES.has(role) || line.includes('clickable')) ? ref : [];
  });
}
