import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ScriptedAgentOptions {
  /** Where it writes down each prompt that it takes, a line each. */
  readonly log?: string;
  /** Where it keeps its sessions; without it they end with the process. */
  readonly home?: string | undefined;
  /** `silent`: it never says hello. `bare`: it offers no models and no modes. */
  readonly fault?: 'silent' | 'bare';
  /** What it does whatever it is told, instead of what the words of its prompts say. */
  readonly script?: string;
}

export interface TakenPrompt {
  readonly pid: number;
  readonly session: string;
  readonly text: string;
  /** When, by the machine's clock. */
  readonly at: number;
}

/** How to start an ACP agent that does what the words of its prompts say: see `script.ts`. */
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
    /** What it has taken so far. */
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
