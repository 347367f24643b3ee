import { isObject } from '../wire/json-text.ts';
import type { MessageDetails } from './message-details.ts';

/**
 * `content_blocks` of a message: the structured parts that newer peers send beside `content`. Peers may use
 * types that are not known here, so every field is read with care and none is required.
 */

type Block = Readonly<Record<string, unknown>>;

const CARDS = ['artifact', 'prompt', 'queued_message', 'notice', 'error', 'status'] as const;
const TONES = ['info', 'warning', 'error'] as const;

/** A block that is shown in a frame. */
export interface BlockCard {
  readonly kind: (typeof CARDS)[number];
  readonly label: string;
  readonly tone: (typeof TONES)[number];
  /** The state of a status or a queued message; the type of an artifact. */
  readonly status: string;
  /** Labels of the choices at the agent. */
  readonly actions: readonly string[];
}

/** One part of a message for a screen: plain text, with details of ours, or in a card. */
export interface MessagePart {
  readonly content: string;
  readonly details?: MessageDetails;
  readonly card?: BlockCard;
}

/** Names of earlier peers. */
const RENAMED: Readonly<Record<string, string>> = {
  file_change: 'file_changes',
  tool_output: 'tool_result',
  result: 'tool_result',
  task_list: 'plan',
  queue: 'queued_message',
  queued: 'queued_message',
  banner: 'notice',
  notification: 'notice',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
const listOf = (value: unknown): readonly Block[] => (Array.isArray(value) ? value.filter(isObject) : []);
const lines = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');

const TOOL_STATUS: Readonly<Record<string, 'running' | 'completed' | 'failed'>> = {
  running: 'running',
  done: 'completed',
  error: 'failed',
};

const STEP_STATUS: Readonly<Record<string, 'active' | 'completed' | 'failed'>> = {
  in_progress: 'active',
  completed: 'completed',
  done: 'completed',
  failed: 'failed',
  error: 'failed',
};

/** Label of a tool call, and of the other parts that are shown as one. */
const titleOf = (block: Block, otherwise: string): string =>
  text(block['label']).slice(0, 4_096) || otherwise;

const idOf = (block: Block, index: number): string =>
  text(block['call_id']).slice(0, 256) || `block_${index}`;

function toolPart(block: Block, index: number): MessagePart {
  const output = text(block['content']);
  const status = TOOL_STATUS[text(block['status'])] ?? 'completed';
  const title = titleOf(block, 'Tool');
  return {
    content: lines(title, output),
    details: { kind: 'tool_call', tool_call_id: idOf(block, index), title, status, output },
  };
}

function terminalPart(block: Block, index: number): MessagePart {
  const output = lines(text(block['stdout']), text(block['stderr']));
  const isFailed = count(block['exit_code']) !== 0;
  const title = text(block['command']).slice(0, 4_096) || titleOf(block, 'Command');
  return {
    content: lines(`$ ${title}`, output),
    details: {
      ...{ kind: 'tool_call', tool_call_id: idOf(block, index), title, tool_kind: 'execute', output },
      status: isFailed ? 'failed' : 'completed',
    },
  };
}

function filesPart(block: Block, index: number): MessagePart {
  const files = listOf(block['files']);
  const output = lines(
    ...files.map((file) => `${text(file['path'])} +${count(file['added'])} -${count(file['removed'])}`),
  );
  const title = text(block['summary']).slice(0, 4_096) || titleOf(block, 'Changed files');
  return {
    content: lines(title, output),
    details: {
      ...{ kind: 'tool_call', tool_call_id: idOf(block, index), title, tool_kind: 'edit', output },
      status: 'completed',
      locations: files.map((file) => ({ path: text(file['path']) })),
    },
  };
}

export const planSteps = (plan: Block): Extract<MessageDetails, { kind: 'plan' }>['steps'] =>
  listOf(plan['tasks']).map((task) => ({
    text: text(task['text']).slice(0, 4_096),
    status: STEP_STATUS[text(task['state'])] ?? 'pending',
  }));

function planPart(block: Block): MessagePart {
  const steps = planSteps(block);
  const content = lines(text(block['label']), ...steps.map((step) => `- ${step.text}`));
  return { content, details: { kind: 'plan', steps } };
}

function cardPart(kind: BlockCard['kind'], block: Block): MessagePart {
  const content = text(block['content']);
  const label = text(block['label']).slice(0, 4_096);
  const tone = kind === 'error' ? kind : (TONES.find((each) => each === block['tone']) ?? 'info');
  const status = text(block[kind === 'artifact' ? 'artifact_type' : 'status']).slice(0, 256);
  const actions = listOf(block['actions'])
    .map((action) => (text(action['label']) || text(action['id'])).slice(0, 4_096))
    .filter((action) => action !== '');
  return { content: content || label || status, card: { kind, label, tone, status, actions } };
}

/** CHT-315: a block as a part of the message; a block of an unknown type by its text. */
function partOf(block: Block, index: number): MessagePart {
  const type = text(block['type']);
  const content = text(block['content']);
  const name = RENAMED[type] ?? type;
  const card = CARDS.find((each) => each === name);
  if (card !== undefined) return cardPart(card, block);
  switch (name) {
    case 'markdown':
      return { content };
    case 'code':
      return { content: `\`\`\`${text(block['language'])}\n${content}\n\`\`\`` };
    case 'thinking':
      return { content, details: { kind: 'thought' } };
    case 'tool_call':
    case 'tool_result':
      return toolPart(block, index);
    case 'terminal':
      return terminalPart(block, index);
    case 'file_changes':
      return filesPart(block, index);
    case 'plan':
      return planPart(block);
    default: {
      const label = text(block['label']);
      return { content: lines(label === '' ? '' : `**${label}**`, content) };
    }
  }
}

/** The parts of a message with `content_blocks`; undefined for one without, whose `content` is all. */
export function partsOfBlocks(message: {
  readonly content_blocks?: unknown;
}): readonly MessagePart[] | undefined {
  const parts = listOf(message.content_blocks)
    .map(partOf)
    .filter(({ content }) => content !== '');
  return parts.length === 0 ? undefined : withResults(parts);
}

/** A result is shown with its call. */
function withResults(parts: readonly MessagePart[]): readonly MessagePart[] {
  const calls = new Map<string, number>();
  const shown: MessagePart[] = [];
  for (const part of parts) {
    const { details } = part;
    const id = details?.kind === 'tool_call' ? details.tool_call_id : undefined;
    const at = id === undefined ? undefined : calls.get(id);
    const before = at === undefined ? undefined : shown[at]?.details;
    if (at !== undefined && details?.kind === 'tool_call' && before?.kind === 'tool_call') {
      const output = lines(before.output ?? '', details.output ?? '');
      const merged = { ...before, status: details.status, output };
      shown[at] = { content: lines(before.title, output), details: merged };
      continue;
    }
    if (id !== undefined) calls.set(id, shown.length);
    shown.push(part);
  }
  return shown;
}
