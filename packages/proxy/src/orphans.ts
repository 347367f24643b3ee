import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { StateFile } from './state-file.ts';

/** Records running agents, so that the next proxy can end those of a killed one. */
export type AgentRegister = ReturnType<typeof createAgentRegister>;

const run = promisify(execFile);

/** Start time and command, because process ids are reused. */
async function markOf(pid: number): Promise<string> {
  const { stdout } = await run('ps', ['-o', 'lstart=,command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}

export function createAgentRegister(state: StateFile) {
  const running = new Set<number>();
  return {
    /** Resolves once recorded. */
    began: async (pid: number): Promise<void> => {
      running.add(pid);
      const mark = await markOf(pid);
      if (running.has(pid) && mark !== '') state.agentBegan(pid, mark);
    },
    ended: (pid: number): void => {
      running.delete(pid);
      state.agentEnded(pid);
    },
  };
}

/** Some agents survive the end of their input: https://www.npmjs.com/package/@zed-industries/codex-acp. */
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

/** Ends the process group: an npm launcher starts the real program as a child. */
export function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Already gone.
  }
}
