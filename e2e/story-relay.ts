import { join } from 'node:path';
import { type RunningProgram, startProgram, temporaryFolder } from 'drawbridge/test/live/program-harness';
import { drawbridge } from 'drawbridge/test/terminal';

type Loose = Readonly<Record<string, unknown>>;

/** `drawbridge up`, one process after the other, on one folder and one port. */
export interface StoryRelay {
  readonly url: string;
  readonly data: string;
  /** Sends a request as the owner. */
  readonly ask: <Answer>(method: string, path: string, body?: Loose) => Promise<Answer>;
  /** A one-time pairing link. */
  readonly pairLink: (role?: string, label?: string) => Promise<string>;
  /** Sends SIGKILL. */
  readonly kill: () => Promise<void>;
  readonly begin: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Runs a command on the same folder, which must succeed; returns its lines. */
  readonly command: (...args: readonly string[]) => Promise<readonly string[]>;
}

const ROLES: Readonly<Record<string, readonly string[]>> = { extension: ['runtime', 'person'] };

export async function startStoryRelay(map: string): Promise<StoryRelay> {
  const data = join(temporaryFolder(), 'data');
  const start = (port: string): RunningProgram =>
    startProgram(['up', '--no-browser', '--task-clients', '--json', ...at(port), '--map', map]);
  const at = (port: string): readonly string[] => ['--port', port, '--data', data];
  let program = start('0');
  const first = await program.line(({ event }) => event === 'listening');
  const url = String(first['url']);
  const headers = { authorization: `Bearer ${first['token']}`, 'content-type': 'application/json' };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    program.child.kill(signal);
    await program.exited;
  };
  const ask: StoryRelay['ask'] = async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    url,
    data,
    ask,
    async pairLink(role = 'person', label = 'Phone') {
      const order = { roles: ROLES[role] ?? [role], label };
      const { pair_path } = await ask<{ pair_path: string }>('POST', '/api/pair/invite', order);
      return url + pair_path;
    },
    kill: () => end('SIGKILL'),
    async begin() {
      program = start(new URL(url).port);
      await program.line(({ event }) => event === 'listening');
    },
    stop: () => end('SIGTERM'),
    async command(...args) {
      const { code, out, errors } = await drawbridge(args);
      if (code !== 0) throw new Error(`drawbridge ${args.join(' ')}: ${errors}`);
      return out;
    },
  };
}
