import type { AgentType } from '@drawbridge/protocol';

/** Starts an agent that speaks ACP on its standard input and output. */
export interface AcpProfile {
  readonly name: string;
  readonly agent_type: AgentType;
  readonly display_name: string;
  /** A program and its arguments, never read by a shell (CHT-211). */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The agent's variables, such as its provider's key, beside those of `childEnvironment`; `*` ends a prefix.
   */
  readonly inherits?: readonly string[];
  /** Files below the home folder, and variables, that an agent has after its sign-in. */
  readonly credentials?: readonly string[];
  /** Command that signs a person in. */
  readonly signIn?: string;
  /** Instruction for when the program is missing. */
  readonly install: string;
}

/** As documented by their makers in November 2026. */
const PROFILES: readonly AcpProfile[] = [
  {
    name: 'claude',
    agent_type: 'claude',
    display_name: 'Claude Code',
    command: ['claude-agent-acp'],
    // https://code.claude.com/docs/en/env-vars
    inherits: ['ANTHROPIC_*', 'CLAUDE_*'],
    credentials: ['.claude/.credentials.json', 'ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    signIn: 'claude /login',
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  {
    name: 'codex',
    agent_type: 'codex',
    display_name: 'Codex',
    command: ['codex-acp'],
    // https://developers.openai.com/codex/config-advanced
    inherits: ['OPENAI_*', 'CODEX_*'],
    credentials: ['.codex/auth.json', 'OPENAI_API_KEY', 'CODEX_API_KEY'],
    signIn: 'codex login',
    install: 'npm install -g @zed-industries/codex-acp',
  },
  {
    name: 'gemini',
    agent_type: 'gemini',
    display_name: 'Gemini CLI',
    command: ['gemini', '--acp'],
    // https://geminicli.com/docs/reference/configuration
    inherits: [
      'GEMINI_*',
      'GOOGLE_API_KEY',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_GENAI_USE_GCA',
    ],
    credentials: ['.gemini/oauth_creds.json', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    signIn: 'gemini',
    install: 'npm install -g @google/gemini-cli',
  },
  {
    name: 'opencode',
    agent_type: 'unknown',
    display_name: 'opencode',
    command: ['opencode', 'acp'],
    // The person passes provider keys explicitly. https://opencode.ai/docs/cli/#environment-variables
    inherits: ['OPENCODE_*'],
    credentials: ['.local/share/opencode/auth.json'],
    signIn: 'opencode auth login',
    install: 'npm install -g opencode-ai',
  },
  {
    name: 'copilot',
    agent_type: 'unknown',
    display_name: 'GitHub Copilot',
    command: ['copilot', '--acp', '--stdio'],
    // https://docs.github.com/en/copilot/how-tos/copilot-cli/set-up-copilot-cli/authenticate-copilot-cli
    inherits: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
    credentials: ['.copilot/config.json', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_GITHUB_TOKEN'],
    signIn: 'copilot',
    install: 'npm install -g @github/copilot',
  },
];

export const profileNames: readonly string[] = PROFILES.map(({ name }) => name);

export const findProfile = (name: string): AcpProfile | undefined =>
  PROFILES.find((profile) => profile.name === name);

export function customProfile(name: string, command: readonly [string, ...string[]]): AcpProfile {
  const like = findProfile(name);
  return {
    name,
    agent_type: like?.agent_type ?? 'unknown',
    display_name: like?.display_name ?? name,
    command,
    ...(like?.inherits && { inherits: like.inherits }),
    ...(like?.credentials && { credentials: like.credentials }),
    ...(like?.signIn && { signIn: like.signIn }),
    install: `Check the command: ${command.join(' ')}`,
  };
}
