import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { PROGRAM } from '../live/program-harness.ts';

/** The official client, with Drawbridge in a child process. */
export async function connectMcp(args: readonly string[], decide?: (message: string) => string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    env: Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value])),
    stderr: 'ignore',
  });
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    decide === undefined ? {} : { capabilities: { elicitation: { form: {} } } },
  );
  if (decide !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { decision: decide(params.message) },
    }));
  onTestFinished(() => client.close());
  await client.connect(transport);
  const say = async (name: string, input: Record<string, unknown> = {}) => {
    const { content } = await client.callTool({ name, arguments: input });
    return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
  };
  return { client, transport, say };
}
