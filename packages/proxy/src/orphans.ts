import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { StateFile } from './state-file.ts';

/** Remembers which agents run, so that the next proxy can end what this one leaves behind when it is killed. */
export interface AgentRegister {
  /** Resolves when it is written down. */
  readonly began: (pid: number) => Promise<void>;
  readonly ended: (pid: number) => void;
}

const run = promisify(execFile);

/** When it began and as what: a number is given to another process sooner or later. */
async function markOf(pid: number): Promise<string> {
  const { stdout } = await run('ps', ['-o', 'lstart=,command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}

export function createAgentRegister(state: StateFile): AgentRegister {
  const running = new Set<number>();
  return {
    began: async (pid) => {
      running.add(pid);
      const mark = await markOf(pid);
      if (running.has(pid) && mark !== '') state.agentBegan(pid, mark);
    },
    ended: (pid) => {
      running.delete(pid);
      state.agentEnded(pid);
    },
  };
}

/** Not every agent ends when nobody listens to it any more: https://www.npmjs.com/package/@zed-industries/codex-acp does not. */
export async function endOrphans(state: StateFile): Promise<number> {
  let count = 0;
  for (const { pid, mark } of state.agents()) {
    if ((await markOf(pid)) === mark) {
      count += 1;
      endGroup(pid, 'SIGKILL');
    }
    state.agentEnded(pid);
  }
  return count;
}

/** An agent leads a group of its own: what npm puts on the PATH starts the real program, and only the group ends both. */
export function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It is gone already.
  }
}
