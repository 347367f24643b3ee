import type { AgentAdapter, AgentTarget, Observation } from '../src/adapter.ts';
import { refusal, requirePower } from '../src/adapter.ts';

const NONE: ReadonlySet<never> = new Set();
const NAME = 'plain';
const cannot = (power: string) => async (): Promise<never> => {
  requirePower<string>(NONE, power, NAME);
  throw new Error('Nobody is able to do this.');
};

/** A conversation that can only be written to: has no other power. */
export const inertTarget: AgentTarget = {
  signature: 'plain:1',
  powers: NONE,
  describe: () => ({
    agent_type: 'unknown',
    agent_name: NAME,
    display_name: NAME,
    workspace: '/',
    status: 'healthy',
    activity: { kind: 'idle' },
    lasting: false,
  }),
  inject: async () => {},
  observe: () => () => {},
  interrupt: cannot('interrupt'),
  configuration: async () => ({ model_id: 'unknown' }),
  configure: cannot('set_model'),
  answer: cannot('permission_dialogs'),
  reply: cannot('questions'),
  close: cannot('close'),
};

/** The minimal adapter. */
export function createWriteOnlyAdapter(taken: string[]): AgentAdapter {
  let launched = 0;
  const launch: AgentAdapter['launch'] = async ({ workspace, title = NAME }) => {
    launched += 1;
    let said = 0;
    let isGone = false;
    const listeners = new Set<(observation: Observation) => void>();
    return {
      ...inertTarget,
      signature: `plain:${launched}`,
      describe: () => ({ ...inertTarget.describe(), display_name: title, workspace }),
      inject: async ({ text }) => {
        if (isGone) throw refusal('send_injection_failed', 'It is gone.');
        taken.push(text);
        if (text === 'crash') isGone = true;
        for (const step of text.split(';')) {
          const content = /^\s*say (.*)/.exec(step)?.[1];
          if (content === undefined) continue;
          said += 1;
          const message_id = `${launched}.${said}`;
          const message = {
            message_id,
            role: 'assistant' as const,
            content,
            created_at: new Date(0).toISOString(),
          };
          for (const listener of listeners) listener({ kind: 'message', message });
        }
      },
      observe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
  };
  return {
    name: NAME,
    powers: new Set(['launch']),
    discover: async () => [],
    onChange: () => () => {},
    launch,
    diagnose: async () => [],
    close: async () => {},
  };
}
