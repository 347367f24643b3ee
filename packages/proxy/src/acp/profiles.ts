import type { AgentType } from '@drawbridge/protocol';

/** How an agent is started so that it speaks ACP on its standard input and output. */
export interface AcpProfile {
  readonly name: string;
  readonly agent_type: AgentType;
  readonly display_name: string;
  /** A program and its arguments; no shell ever reads them (CHT-211). */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Variables that the agent gets although `childEnvironment` removes them, such as its provider's key. */
  readonly inherits?: readonly string[];
  /** What to do when the program is not there. */
  readonly install: string;
}

/** As their makers document them, in November 2026. */
const PROFILES: readonly AcpProfile[] = [
  {
    name: 'claude',
    agent_type: 'claude',
    display_name: 'Claude Code',
    command: ['claude-agent-acp'],
    inherits: ['ANTHROPIC_API_KEY'],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  {
    name: 'codex',
    agent_type: 'codex',
    display_name: 'Codex',
    command: ['codex-acp'],
    inherits: ['OPENAI_API_KEY'],
    install: 'npm install -g @zed-industries/codex-acp',
  },
  {
    name: 'gemini',
    agent_type: 'gemini',
    display_name: 'Gemini CLI',
    command: ['gemini', '--acp'],
    inherits: ['GEMINI_API_KEY'],
    install: 'npm install -g @google/gemini-cli',
  },
  {
    name: 'opencode',
    agent_type: 'unknown',
    display_name: 'opencode',
    command: ['opencode', 'acp'],
    install: 'npm install -g opencode-ai',
  },
  {
    name: 'copilot',
    agent_type: 'unknown',
    display_name: 'GitHub Copilot',
    command: ['copilot', '--acp', '--stdio'],
    install: 'npm install -g @github/copilot',
  },
];

export const profileNames: readonly string[] = PROFILES.map(({ name }) => name);

export const findProfile = (name: string): AcpProfile | undefined =>
  PROFILES.find((profile) => profile.name === name);

/** Any other agent, by its command line. */
export function customProfile(name: string, command: readonly [string, ...string[]]): AcpProfile {
  const like = findProfile(name);
  return {
    name,
    agent_type: like?.agent_type ?? 'unknown',
    display_name: like?.display_name ?? name,
    command,
    ...(like?.inherits && { inherits: like.inherits }),
    install: `Check the command: ${command.join(' ')}`,
  };
}
