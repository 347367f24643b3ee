import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageChromiumPath, type Shop } from '@drawbridge/testbed';
import { Client, type ClientOptions, type Progress } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs');
const MAP = join(import.meta.dirname, '../maps/shop/actions.json');

export const ERAS = ['2025-11-25', '2026-07-28'] as const;

export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
  readonly progress: readonly Progress[];
}

export interface Agent {
  readonly client: Client;
  readonly callForText: (name: string, args?: Record<string, unknown>) => Promise<ToolText>;
  /** Calls a declared tool of the shop's map, which must succeed. */
  readonly site: (action: string, args?: Record<string, unknown>) => Promise<string>;
  /** Everything that came from Drawbridge: raw messages and its standard error. */
  readonly received: () => string;
  readonly close: () => Promise<void>;
}

export interface AgentOptions {
  readonly era?: (typeof ERAS)[number];
  readonly capabilities?: ClientOptions['capabilities'];
  readonly path?: string;
}

type Served = Pick<Shop, 'url'> & Partial<Pick<Shop, 'payUrl'>>;

/** The official client, and `drawbridge mcp` as its child process, until the test ends. */
export async function startAgent(shop: Served, options: AgentOptions = {}): Promise<Agent> {
  const agent = await startSharedAgent(shop, options);
  onTestFinished(() => agent.close());
  return agent;
}

/** The same for several tests: the caller closes it. */
export async function startSharedAgent(
  shop: Served,
  { era = '2025-11-25', capabilities = {}, path = '/' }: AgentOptions = {},
): Promise<Agent> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-mcp-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...[PROGRAM, 'mcp', '--headless', ...at(folder, shop)],
      ...['--url', `${shop.url}${path}`, ...(shop.payUrl === undefined ? [] : ['--local', shop.payUrl])],
    ],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      HOME: folder,
      CHROME_PATH: pageChromiumPath(),
    },
    stderr: 'pipe',
  });
  const heard: string[] = [];
  transport.stderr?.on('data', (chunk) => heard.push(String(chunk)));
  transport.onmessage = (message) => heard.push(JSON.stringify(message));
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
  );
  const close = async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  await client.connect(transport);
  const callForText: Agent['callForText'] = async (name, args = {}) => {
    const progress: Progress[] = [];
    const { content, isError } = await client.callTool(
      { name, arguments: args },
      { onprogress: (each) => progress.push(each) },
    );
    const text = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
    return { text, isError: isError === true, progress };
  };
  const site: Agent['site'] = async (action, args = {}) => {
    const { text, isError } = await callForText('site', { mode: 'call', action, arguments: args });
    expect({ action, failure: isError ? text : '' }).toEqual({ action, failure: '' });
    return text;
  };
  return { client, callForText, site, received: () => heard.join('\n'), close };
}

/** The shop's map, rewritten for the shop's address. */
function at(folder: string, { url }: Pick<Shop, 'url'>): string[] {
  const map: { readonly surface: object } = JSON.parse(readFileSync(MAP, 'utf8'));
  const file = join(folder, 'actions.json');
  writeFileSync(file, JSON.stringify({ ...map, surface: { ...map.surface, origin: url } }));
  return ['--data', join(folder, 'data'), '--map', file];
}

/** Page data in an answer, without the fence around it. */
export function pageJson(text: string): unknown {
  return JSON.parse(text.split('\n').find((line) => line.startsWith('{')) ?? 'null');
}

/** Id in the snapshot line of a node with this role and name. */
export function idOf(snapshot: string, node: string): string {
  const line = snapshot.split('\n').find((each) => each.split(' ').slice(1).join(' ').startsWith(node));
  return line?.split(' ')[0] ?? `no ${node}`;
}
