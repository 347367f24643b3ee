import { fileURLToPath } from 'node:url';

/** The name that Drawbridge has in the configuration of every client. */
export const SERVER_NAME = 'drawbridge';

/** How a client starts our MCP server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** This very installation, by absolute paths: a client starts us in any folder, with any PATH. */
export const thisInstallation = (): ServerEntry => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../../bin/drawbridge.mjs', import.meta.url)), 'mcp'],
});
