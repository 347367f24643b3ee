import { strictEqual } from 'node:assert';
import { PROGRAM, runPackage } from './child.ts';

const CLI = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';

export const ERAS = ['legacy', 'modern'] as const;

/** The MCP Inspector without its UI: one call, with a `drawbridge mcp` that it starts and ends. */
export interface InspectorCli {
  readonly home: string;
  readonly era: (typeof ERAS)[number];
  /** Arguments after `drawbridge mcp`. */
  readonly mcp: readonly string[];
}

export async function inspect(
  { home, era, mcp }: InspectorCli,
  ...args: readonly string[]
): Promise<unknown> {
  const server = [process.execPath, PROGRAM, 'mcp', ...mcp];
  const env = ['-e', `CHROME_PATH=${process.env['CHROME_PATH']}`];
  const { code, stdout, stderr } = await runPackage(
    CLI,
    ['--cli', ...env, '--protocol-era', era, ...server, ...args],
    { HOME: home },
  );
  strictEqual(code, 0, `The Inspector ended with ${code}: ${stdout} ${stderr}`);
  return JSON.parse(stdout);
}

/** Text of a tool's result, which must be a success. */
export async function callTool(cli: InspectorCli, name: string, args: object = {}): Promise<string> {
  const input = ['--tool-name', name, '--tool-args-json', JSON.stringify(args)];
  const { content, isError = false } = trustResult(await inspect(cli, '--method', 'tools/call', ...input));
  const text = content.map((part) => part.text ?? '').join('\n');
  strictEqual(isError, false, `${name} failed: ${text}`);
  return text;
}

interface ToolResult {
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

function trustResult(value: unknown): ToolResult {
  return value as ToolResult;
}
