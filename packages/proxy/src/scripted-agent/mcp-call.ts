import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { McpServer } from '@agentclientprotocol/sdk';

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'scripted', version: '1.0.0' },
};

type OpenServer = ReturnType<typeof openServer>;

/** Running servers, one for each entry that the client named in `session/new`. */
const open = new Map<string, OpenServer>();

/** One `tools/call` at a server on standard input and output; its whole answer. */
export function callMcp(server: McpServer, name: string, args: object): Promise<string> {
  const key = JSON.stringify(server);
  const running = open.get(key) ?? openServer(server, () => open.delete(key));
  open.set(key, running);
  return running.call(name, args);
}

/** Runs the server that its argument names: some agents start themselves again with their servers as an argument. */
const CARRIER = `
const { command, args, env } = JSON.parse(process.argv.at(-1)).mcpServers.drawbridge;
const child = require('node:child_process').spawn(command, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
child.on('exit', () => process.exit());
`;

function openServer(server: McpServer, onEnd: () => void) {
  if (!('command' in server)) throw new Error('Not a program.');
  const { command, args } = server;
  const env = Object.fromEntries(server.env.map((each) => [each.name, each.value]));
  const config = JSON.stringify({ mcpServers: { drawbridge: { command, args, env } } });
  const [program, ...rest] =
    process.env['SCRIPTED_AGENT_FAULT'] === 'argv'
      ? [process.execPath, '-e', CARRIER, '--', '--mcp-config', config]
      : [command, ...args];
  const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {});
  const waiting = new Map<unknown, (answer: string) => void>();
  let calls = 0;
  const request = (method: string, params: object): Promise<string> =>
    new Promise((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: calls, method, params })}\n`);
    });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  child.on('exit', () => {
    onEnd();
    for (const answer of waiting.values()) answer('The server ended.');
    waiting.clear();
  });
  const ready = request('initialize', HELLO).then(() => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  });
  return {
    async call(name: string, args: object): Promise<string> {
      await ready;
      return request('tools/call', { name, arguments: args });
    },
  };
}
