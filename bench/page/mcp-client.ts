import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A peer that speaks MCP over stdio. */
export interface McpClient {
  /** Returns the text of a tool's result. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  tools(): Promise<readonly string[]>;
  close(): void;
}

interface Reply {
  readonly id?: number;
  readonly result?: {
    readonly content?: readonly { readonly type: string; readonly text?: string }[];
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string }[];
  };
  readonly error?: { readonly message: string };
}

const REPLY_TIMEOUT_MS = 90_000;

/** Starts a Node program that is an MCP server, and completes the handshake. */
export async function startMcp(script: string, args: readonly string[]): Promise<McpClient> {
  const server = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (reply: Reply) => void>();
  let sent = 0;
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const reply: Reply = JSON.parse(line);
    if (reply.id !== undefined && (reply.result ?? reply.error) !== undefined) waiting.get(reply.id)?.(reply);
  });
  server.on('exit', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'the server ended' } });
  });

  const write = (message: object) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = async (method: string, params: object): Promise<NonNullable<Reply['result']>> => {
    const id = ++sent;
    const { result, error } = await new Promise<Reply>((resolve) => {
      waiting.set(id, resolve);
      setTimeout(resolve, REPLY_TIMEOUT_MS, { error: { message: 'no answer in time' } }).unref();
      write({ id, method, params });
    });
    waiting.delete(id);
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? 'no result'}`);
    return result;
  };

  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'drawbridge-bench', version: '0.1.0' },
  });
  write({ method: 'notifications/initialized' });
  return {
    async call(tool, args) {
      const { content = [], isError } = await request('tools/call', { name: tool, arguments: args });
      const text = content.map((part) => part.text ?? '').join('\n');
      if (isError === true) throw new Error(`${tool}: ${text.slice(0, 300)}`);
      return text;
    },
    tools: async () => ((await request('tools/list', {})).tools ?? []).map(({ name }) => name),
    close: () => server.kill(),
  };
}
