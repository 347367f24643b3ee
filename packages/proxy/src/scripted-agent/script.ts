import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type AgentContext,
  type ContentBlock,
  type McpServer,
  methods,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';

import { callMcp } from './mcp-call.ts';

export interface Turn {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly blocks: readonly ContentBlock[];
  /** Folder of the session. */
  readonly cwd: string;
  /** MCP servers that the client named. */
  readonly servers: readonly McpServer[];
  /** Aborted when the turn is cancelled. */
  readonly signal: AbortSignal;
  readonly update: (update: SessionUpdate) => Promise<void>;
}

type Step = (turn: Turn, rest: string) => Promise<StopReason | undefined>;

const text = (words: string): ContentBlock => ({ type: 'text', text: words });

const say = async ({ update }: Turn, words: string): Promise<void> => {
  for (const part of words.match(/\S+\s*/g) ?? []) {
    await update({ sessionUpdate: 'agent_message_chunk', content: text(part) });
  }
};

/** Milliseconds of the monotonic clock, which all processes of a machine share. */
export const exactNow = (): number => Number(process.hrtime.bigint()) / 1e6;

let calls = 0;
const newCall = (): string => {
  calls += 1;
  return `call_${process.pid}_${calls}`;
};

/** A prompt is steps joined by `;`, each a command and its argument. */
const STEPS: Readonly<Record<string, Step>> = {
  say: async (turn, rest) => void (await say(turn, rest)),
  /** That many long messages, as fast as they are read. */
  flood: async ({ update }, rest) => {
    for (let n = 0; n < Number(rest); n += 1) {
      const content = text(`flood-${n} ${'x'.repeat(10_000)}`);
      await update({ sessionUpdate: 'agent_message_chunk', messageId: `flood-${n}`, content });
    }
    return undefined;
  },
  clock: async (turn) => void (await say(turn, `at ${exactNow()}`)),
  think: async ({ update }, rest) =>
    void (await update({ sessionUpdate: 'agent_thought_chunk', content: text(rest) })),
  /** Repeats the person's message, as a watched transcript would. */
  echo: async ({ update, blocks }) => {
    for (const content of blocks) await update({ sessionUpdate: 'user_message_chunk', content });
    return undefined;
  },
  blocks: async (turn) => void (await say(turn, turn.blocks.map(blockWords).join(' | '))),
  diff: async ({ update }) => {
    const toolCallId = newCall();
    const call = { toolCallId, title: 'Edit notes.txt', kind: 'edit' as const };
    await update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
    const content = [{ type: 'diff' as const, path: '/notes.txt', oldText: 'old\n', newText: 'new\n' }];
    await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content });
    return undefined;
  },
  plan: async ({ update }) => {
    const entry = (content: string, status: 'completed' | 'in_progress' | 'pending') => ({
      content,
      status,
      priority: 'medium' as const,
    });
    const entries = [entry('look', 'completed'), entry('do', 'in_progress'), entry('tell', 'pending')];
    await update({ sessionUpdate: 'plan', entries });
    return undefined;
  },
  usage: async ({ update }) =>
    void (await update({ sessionUpdate: 'usage_update', used: 1_200, size: 200_000 })),
  ask: async (turn, rest) => {
    if (rest === 'question') return question(turn);
    return permission(turn, rest !== 'quietly');
  },
  /** Continues when that file exists. */
  hold: async (_, path) => {
    while (!existsSync(path)) await setTimeout(10);
    return undefined;
  },
  /** Works until it is stopped. */
  slow: async ({ update, signal }, rest) => {
    const toolCallId = newCall();
    await update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: rest === '' ? 'sleep' : rest,
      kind: 'execute',
      status: 'in_progress',
    });
    if (!signal.aborted) await once(signal, 'abort');
    return 'cancelled';
  },
  /** Calls a tool of the first MCP server: its name and its arguments as JSON; `$FILE` is the file of the prompt. */
  tool: async (turn, rest) => {
    const [name = '', ...args] = rest.split(' ');
    const [server] = turn.servers;
    if (server === undefined) return void (await say(turn, 'no server'));
    const toolCallId = newCall();
    const title = `drawbridge ${name}`;
    await turn.update({ sessionUpdate: 'tool_call', toolCallId, title, status: 'in_progress' });
    const answer = await callMcp(
      server,
      name,
      JSON.parse(args.join(' ').replace('$FILE', fileOf(turn)) || '{}'),
    );
    await turn.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    return void (await say(turn, `answer: ${answer}`));
  },
  /** An action of the site's map in a lent tab: its name and its arguments as JSON. Nothing without a browser. */
  site: async (turn, rest) => {
    const [action = '', ...args] = rest.split(' ');
    await callSite(turn, { mode: 'call', action, arguments: JSON.parse(args.join(' ') || '{}') });
    return undefined;
  },
  /** Writes a line into a file of its folder: the file, the map's projection and the field to write, and words. */
  note: async (turn, rest) => {
    const [file = '', projection_name = '', field = '', ...words] = rest.split(' ');
    const state = await callSite(turn, { mode: 'state_read', projection_name });
    const value = new RegExp(`"${field}":"?([^",}]+)`).exec(state?.replaceAll('\\', '') ?? '')?.[1];
    if (value === undefined) return undefined;
    const toolCallId = newCall();
    const call = { toolCallId, title: `Edit ${file}`, kind: 'edit' as const };
    await turn.update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
    const path = join(turn.cwd, file);
    const oldText = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const newText = `${oldText}- ${words.join(' ')}: ${value}\n`;
    writeFileSync(path, newText);
    const content = [{ type: 'diff' as const, path, oldText, newText }];
    await turn.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content });
    return undefined;
  },
  refuse: async () => 'refusal',
  fail: async (_, rest) => {
    throw new RequestError(-32_603, rest === '' ? 'The model is away.' : rest);
  },
  crash: async () => process.exit(3),
};

const TRIES = 3;

/** Undefined when it is not done, which the agent says. A busy page may need another try. */
const callSite = async (turn: Turn, args: object): Promise<string | undefined> => {
  const [server] = turn.servers;
  if (server === undefined) return undefined;
  let answer = '';
  for (let tries = 0; tries < TRIES && !turn.signal.aborted; tries += 1) {
    answer = await callMcp(server, 'site', args);
    if (!answer.includes('"isError":true')) return answer;
    if (/permission_denied|said no/.test(answer)) break;
  }
  await say(turn, 'That was not done.');
  return undefined;
};

const permission = async (turn: Turn, tells: boolean): Promise<StopReason | undefined> => {
  const { client, sessionId, update, signal } = turn;
  const toolCallId = newCall();
  const call = {
    toolCallId,
    title: 'Remove build',
    kind: 'execute' as const,
    rawInput: { command: 'rm -r build' },
  };
  await update({ sessionUpdate: 'tool_call', ...call, status: 'pending' });
  const request: RequestPermissionRequest = {
    sessionId,
    toolCall: call,
    options: [
      { optionId: 'go', name: 'Allow', kind: 'allow_once' },
      { optionId: 'go_always', name: 'Always allow', kind: 'allow_always' },
      { optionId: 'stop', name: 'Reject', kind: 'reject_once' },
    ],
  };
  const { outcome } = await client.request(methods.client.session.requestPermission, request);
  if (signal.aborted || outcome.outcome === 'cancelled') return 'cancelled';
  const isAllowed = outcome.optionId !== 'stop';
  await update({ sessionUpdate: 'tool_call_update', toolCallId, status: isAllowed ? 'completed' : 'failed' });
  if (tells) await say(turn, isAllowed ? `removed by ${outcome.optionId}` : 'left alone');
  return undefined;
};

const question = async (turn: Turn): Promise<StopReason | undefined> => {
  const { client, sessionId } = turn;
  const answer = await client.request(methods.client.elicitation.create, {
    sessionId,
    mode: 'form',
    message: 'Which port?',
    requestedSchema: { type: 'object', properties: { port: { type: 'number' } } },
  });
  await say(turn, `${answer.action} ${JSON.stringify('content' in answer ? answer.content : null)}`);
  return undefined;
};

const blockWords = (block: ContentBlock): string => {
  if (block.type === 'text') return `text ${block.text}`;
  if (block.type === 'image') return `image ${block.mimeType} ${block.data.length}`;
  if (block.type === 'resource') return `resource ${'text' in block.resource ? block.resource.text : 'blob'}`;
  return block.type === 'resource_link' ? `link ${block.name}` : block.type;
};

/** The address that a client gives for a file of the conversation. */
const fileOf = ({ blocks }: Turn): string =>
  blocks.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : [])).at(-1) ?? '';

export const wordsOf = (blocks: readonly ContentBlock[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');

export async function play(turn: Turn, script = wordsOf(turn.blocks)): Promise<StopReason> {
  if (turn.signal.aborted) return 'cancelled';
  for (const step of script.split(';')) {
    const [word = '', ...rest] = step.trim().split(' ');
    const end = await (STEPS[word] ?? STEPS['say'])?.(turn, STEPS[word] ? rest.join(' ') : step.trim());
    if (end !== undefined) return end;
    if (turn.signal.aborted) return 'cancelled';
  }
  return 'end_turn';
}
