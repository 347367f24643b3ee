import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ScriptedAgentOptions {
  /** File for the prompts that it takes, one per line. */
  readonly log?: string;
  /** Folder for its sessions; without it they end with the process. */
  readonly home?: string | undefined;
  /**
   * `silent`: never completes the handshake. `bare`: offers no models and no modes. `signed_out`: opens no
   * session. `load`: resumes no session, and loads them. `argv`: names its MCP servers in the arguments of a process, as Claude does.
   */
  readonly fault?: 'silent' | 'bare' | 'signed_out' | 'load' | 'argv';
  /** Steps to run for every prompt, instead of the prompt's own. */
  readonly script?: string;
}

export interface TakenPrompt {
  readonly pid: number;
  readonly session: string;
  readonly text: string;
  /** Time on the monotonic clock. */
  readonly at: number;
}

/** Command of an ACP agent that follows the words of its prompts: see `script.ts`. */
export function scriptedAgent({ log, home, fault, script }: ScriptedAgentOptions = {}) {
  const command: [string, ...string[]] = [process.execPath, join(import.meta.dirname, 'main.ts')];
  const env = {
    ...(log !== undefined && { SCRIPTED_AGENT_LOG: log }),
    ...(home !== undefined && { SCRIPTED_AGENT_HOME: home }),
    ...(fault !== undefined && { SCRIPTED_AGENT_FAULT: fault }),
    ...(script !== undefined && { SCRIPTED_AGENT_SCRIPT: script }),
  };
  return {
    command,
    env,
    /** Prompts taken so far. */
    taken: (): readonly TakenPrompt[] => (log === undefined ? [] : readTaken(log)),
  };
}

function readTaken(log: string): readonly TakenPrompt[] {
  try {
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    return lines.filter((line) => line !== '').map((line): TakenPrompt => JSON.parse(line));
  } catch {
    return [];
  }
}
