import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '@drawbridge/testbed';

export interface SteeredAgent {
  /** Name of its program, in `node_modules/.bin` here or on the PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** A tool of its requests that is not in its requests for a title. */
  readonly tool: string;
  readonly call: (command: string) => ToolCall;
  /** The agent's names of two models, and a part of their names at the model's server. */
  readonly models: readonly [readonly [string, string], readonly [string, string]];
  /** Writes its configuration, and returns its environment. */
  readonly prepare: (place: Place) => Readonly<Record<string, string>>;
}

interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly baseUrl: string;
}

const SERVER_KEY = 'none';

export const AGENTS: Readonly<Record<string, SteeredAgent>> = {
  opencode: {
    program: 'opencode',
    args: ['acp'],
    tool: '"bash"',
    call: (command) => ({ name: 'bash', input: { command, description: 'Leaves a proof' } }),
    models: [
      ['stub/m1', 'm1'],
      ['stub/m2', 'm2'],
    ],
    prepare: ({ workspace, baseUrl }) => {
      const options = { baseURL: baseUrl, apiKey: SERVER_KEY };
      const stub = { npm: '@ai-sdk/openai-compatible', options, models: { m1: {}, m2: {} } };
      const config = {
        model: 'stub/m1',
        small_model: 'stub/m1',
        enabled_providers: ['stub'],
        autoupdate: false,
        share: 'disabled',
        permission: { bash: 'ask', edit: 'ask' },
        provider: { stub },
      };
      writeFileSync(join(workspace, 'opencode.json'), JSON.stringify(config));
      // Without a network it requests an unnecessary list three times, and opens no session for 8 s.
      return { OPENCODE_DISABLE_MODELS_FETCH: 'true' };
    },
  },
  claude: {
    program: 'claude-agent-acp',
    args: [],
    tool: '"Bash"',
    call: (command) => ({ name: 'Bash', input: { command, description: 'Leaves a proof' } }),
    models: [
      ['default', 'claude'],
      ['haiku', 'haiku'],
    ],
    prepare: ({ baseUrl }) => ({
      ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, ''),
      ANTHROPIC_API_KEY: SERVER_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Otherwise it lists tools of MCP servers only after a search, which the scripted model does not make.
      ENABLE_TOOL_SEARCH: 'false',
    }),
  },
  codex: {
    program: 'codex-acp',
    args: [],
    tool: '"exec_command"',
    call: (cmd) => ({
      name: 'exec_command',
      input: { cmd, sandbox_permissions: 'require_escalated', justification: 'Leaves a proof' },
    }),
    models: [
      ['m1', 'm1'],
      ['gpt-5.4', 'gpt-5.4'],
    ],
    prepare: ({ folder, baseUrl }) => {
      const home = join(folder, 'codex');
      mkdirSync(home);
      const lines = [
        'model = "m1"',
        'model_provider = "stub"',
        'approval_policy = "on-request"',
        'sandbox_mode = "read-only"',
        '[model_providers.stub]',
        'name = "stub"',
        `base_url = "${baseUrl}"`,
        'wire_api = "responses"',
        'env_key = "STUB_KEY"',
      ];
      writeFileSync(join(home, 'config.toml'), lines.join('\n'));
      return { CODEX_HOME: home, STUB_KEY: SERVER_KEY };
    },
  },
};

/** An agent gets only the variables that are named. */
export const namesOf = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(env).flatMap((name) => ['--env', name]);

export const NOBODY = 65_534;

/** Claude Code refuses to start as root, as in a container: there it runs as nobody. */
export function commandOf({ program, args }: SteeredAgent, { folder, workspace }: Place): readonly string[] {
  const here = join(import.meta.dirname, 'node_modules/.bin', program);
  const command = [existsSync(here) ? here : program, ...args];
  if (program !== 'claude-agent-acp' || process.getuid?.() !== 0) return command;
  for (const path of [folder, workspace]) chownSync(path, NOBODY, NOBODY);
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...command];
}
