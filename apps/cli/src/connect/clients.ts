import { join } from 'node:path';
import type { ConfigFormat } from './config-format.ts';
import { jsonConfig } from './json-config.ts';
import { tomlConfig } from './toml-config.ts';

/** Environment of a command, injectable for tests. */
export interface Surroundings {
  readonly home: string;
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Client {
  /** Product name. */
  readonly title: string;
  readonly format: ConfigFormat;
  /** Project-wide file; absent if the client reads none unasked. */
  readonly projectFile?: (surroundings: Surroundings) => string;
  /** User-wide file. */
  readonly userFile: (surroundings: Surroundings) => string;
  /** How to make the client load the server. */
  readonly next: string;
}

export const CLIENTS: ReadonlyMap<string, Client> = new Map<string, Client>([
  [
    'opencode',
    {
      // https://opencode.ai/docs/mcp-servers
      title: 'opencode',
      format: jsonConfig('mcp', { type: 'local', isOneList: true }),
      projectFile: ({ folder }) => join(folder, 'opencode.json'),
      userFile: (surroundings) => join(configFolder(surroundings), 'opencode', 'opencode.json'),
      next: 'Start opencode in this folder. opencode mcp list shows the server.',
    },
  ],
  [
    'claude',
    {
      // https://code.claude.com/docs/en/mcp
      title: 'Claude Code',
      format: jsonConfig('mcpServers', { type: 'stdio' }),
      projectFile: ({ folder }) => join(folder, '.mcp.json'),
      userFile: ({ home }) => join(home, '.claude.json'),
      next: 'Start claude in this folder and allow the server. /mcp shows it.',
    },
  ],
  [
    'codex',
    {
      // https://developers.openai.com/codex/mcp: a project file counts only once trusted.
      title: 'Codex',
      format: tomlConfig,
      userFile: ({ home, env }) => join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
      next: 'Start codex. /mcp lists the server.',
    },
  ],
  [
    'cursor',
    {
      // https://cursor.com/docs/mcp
      title: 'Cursor',
      format: jsonConfig('mcpServers', { type: 'stdio' }),
      projectFile: ({ folder }) => join(folder, '.cursor', 'mcp.json'),
      userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
      next: 'Open the MCP part of Cursor’s settings and switch drawbridge on.',
    },
  ],
  [
    'gemini',
    {
      // https://geminicli.com/docs/tools/mcp-server
      title: 'Gemini CLI',
      format: jsonConfig('mcpServers'),
      projectFile: ({ folder }) => join(folder, '.gemini', 'settings.json'),
      userFile: ({ home }) => join(home, '.gemini', 'settings.json'),
      next: 'Start gemini again. /mcp shows the server.',
    },
  ],
  [
    'vscode',
    {
      // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
      title: 'VS Code',
      format: jsonConfig('servers', { type: 'stdio' }),
      projectFile: ({ folder }) => join(folder, '.vscode', 'mcp.json'),
      userFile: (surroundings) => join(codeFolder(surroundings), 'User', 'mcp.json'),
      next: 'Run “MCP: List Servers” in VS Code, choose drawbridge and start it.',
    },
  ],
  [
    'windsurf',
    {
      // https://docs.windsurf.com/windsurf/cascade/mcp: it reads no file of the project.
      title: 'Windsurf',
      format: jsonConfig('mcpServers'),
      userFile: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      next: 'Open the MCP part of Windsurf’s settings and press Refresh.',
    },
  ],
  [
    'zed',
    {
      // https://zed.dev/docs/ai/mcp
      title: 'Zed',
      format: jsonConfig('context_servers'),
      projectFile: ({ folder }) => join(folder, '.zed', 'settings.json'),
      userFile: (surroundings) => join(configFolder(surroundings), 'zed', 'settings.json'),
      next: 'Open the agent panel’s settings in Zed. drawbridge has a green dot there.',
    },
  ],
]);

/** https://code.visualstudio.com/docs/configure/settings#_user-settingsjson-location */
function codeFolder({ home, platform, env }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code');
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Code');
  return join(configFolder({ home, env }), 'Code');
}

const configFolder = ({ home, env }: Pick<Surroundings, 'home' | 'env'>): string =>
  env['XDG_CONFIG_HOME'] || join(home, '.config');
