import { fileURLToPath } from 'node:url';

/** Drawbridge's name in every client's configuration. */
export const SERVER_NAME = 'drawbridge';

/** How a client starts our MCP server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** Absolute paths: clients start us in any folder, with any PATH. */
export const thisInstallation = (): ServerEntry => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../../bin/drawbridge.mjs', import.meta.url)), 'mcp'],
});
