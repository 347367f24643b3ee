import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { McpServer } from '@agentclientprotocol/sdk';

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'scripted', version: '1.0.0' },
};

/** One `tools/call` at a server that the client named in `session/new`, by either transport; its whole answer. */
export async function callMcp(server: McpServer, name: string, args: object): Promise<string> {
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } };
  if ('url' in server) {
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(server.headers.map((header) => [header.name, header.value])),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(call),
    });
    return `${answer.status} ${await answer.text()}`;
  }
  if (!('command' in server)) throw new Error('Neither HTTP nor a program.');
  const env = Object.fromEntries(server.env.map((each) => [each.name, each.value]));
  const child = spawn(server.command, server.args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: HELLO });
  for await (const line of createInterface({ input: child.stdout })) {
    const { id } = JSON.parse(line);
    if (id === 1) {
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      send(call);
    }
    if (id === 2) {
      child.kill();
      return line;
    }
  }
  return 'The server ended.';
}
