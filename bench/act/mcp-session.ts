import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';

/** Client of an MCP server over stdio, with a person who accepts every question once. */
export interface McpSession {
  call(tool: string, args: Fields): Promise<string>;
  /** The whole result, with pictures. */
  answer(tool: string, args: Fields): Promise<ToolAnswer>;
  /** The shortest round trip. */
  ping(): Promise<void>;
  /** Tools and instructions that a model gets before it starts, as the server sent them. */
  readonly surface: { readonly tools: readonly unknown[]; readonly instructions: string };
  close(): void;
  /** Questions to the person so far. */
  questions(): readonly string[];
}

export interface ToolAnswer {
  readonly content: readonly Part[];
  readonly isError: boolean;
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
}

export type Fields = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: {
    readonly content?: readonly Part[];
    readonly isError?: boolean;
    readonly tools?: readonly unknown[];
    readonly instructions?: string;
  };
  readonly error?: { readonly message: string };
  readonly params?: {
    readonly message?: string;
    readonly requestedSchema?: { readonly properties?: Readonly<Record<string, Choice>> };
  };
}

interface Choice {
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string }[];
}

/** An error result of a tool, with the text that a model gets. */
export class ToolRefusal extends Error {}

const REPLY_TIMEOUT_MS = 90_000;

/** Starts a Node program that is an MCP server, and completes the handshake. */
export async function startMcpSession(
  script: string,
  args: readonly string[],
  // Playwright MCP leaves files in its working folder.
  { env = {}, cwd = tmpdir() }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<McpSession> {
  const server = spawn(process.execPath, [script, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const end = () => {
    server.kill();
  };
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
  const { request, notify, questions } = talkWith(server);
  const answer = async (name: string, given: Fields): Promise<ToolAnswer> => {
    const { content = [], isError = false } = await request('tools/call', { name, arguments: given });
    return { content, isError };
  };
  const { instructions = '' } = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: 'drawbridge-bench', version: '0.1.0' },
  });
  notify('notifications/initialized');
  const { tools = [] } = await request('tools/list', {});
  return {
    answer,
    async call(name, given) {
      const { content, isError } = await answer(name, given);
      const text = content.map((part) => part.text ?? '').join('\n');
      if (isError) throw new ToolRefusal(text);
      return text;
    },
    ping: async () => {
      await request('ping', {});
    },
    surface: { tools, instructions },
    close: end,
    questions,
  };
}

type Result = NonNullable<Message['result']>;

function talkWith(server: ChildProcess) {
  const { stdin, stdout } = server;
  if (stdin === null || stdout === null) throw new Error('The server has no standard input and output.');
  const waiting = new Map<number | string, (message: Message) => void>();
  let sent = 0;
  const asked: string[] = [];
  const write = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  createInterface({ input: stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const message: Message = JSON.parse(line);
    const { id, method } = message;
    if (id === undefined) return;
    if (method === undefined) waiting.get(id)?.(message);
    else if (method === 'elicitation/create') {
      asked.push(message.params?.message ?? '');
      write({ id, result: { action: 'accept', content: yes(message) } });
    } else write({ id, result: {} });
  });
  server.on('exit', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'the server ended' } });
  });

  const request = async (method: string, params: object): Promise<Result> => {
    const id = ++sent;
    const { result, error } = await new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      setTimeout(resolve, REPLY_TIMEOUT_MS, { error: { message: 'no answer in time' } }).unref();
      write({ id, method, params });
    });
    waiting.delete(id);
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? 'no result'}`);
    return result;
  };
  return { request, questions: () => asked, notify: (method: string) => write({ method }) };
}

/** Picks the first choice of every field, which is the one that agrees. */
function yes({ params }: Message): Fields {
  const fields = Object.entries(params?.requestedSchema?.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, field]) => [name, field.enum?.[0] ?? field.oneOf?.[0]?.const ?? true]),
  );
}
