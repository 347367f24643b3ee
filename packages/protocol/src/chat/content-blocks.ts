import { isObject } from '../wire/json-text.ts';
import type { MessageDetails } from './message-details.ts';

/**
 * `content_blocks` of a message: the structured parts that newer peers send beside `content`. Peers may use
 * types that are not known here, so every field is read with care and none is required.
 */

type Block = Readonly<Record<string, unknown>>;

/** One part of a message for a screen: plain text, or with details of ours. */
export interface MessagePart {
  readonly content: string;
  readonly label?: string;
  readonly details?: MessageDetails;
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

function planPart(block: Block): MessagePart {
  const steps = listOf(block['tasks']).map((task) => ({
    text: text(task['text']).slice(0, 4_096),
    status: STEP_STATUS[text(task['state'])] ?? ('pending' as const),
  }));
  const content = lines(text(block['label']), ...steps.map((step) => `- ${step.text}`));
  return { content, details: { kind: 'plan', steps } };
}

/** CHT-315: a block as a part of the message; a block of an unknown type by its text. */
function partOf(block: Block, index: number): MessagePart {
  const type = text(block['type']);
  const content = text(block['content']);
  switch (RENAMED[type] ?? type) {
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
  return parts.length === 0 ? undefined : parts;
}

const STATUS_OF_TOOL: Readonly<Record<string, string>> = {
  pending: 'running',
  running: 'running',
  completed: 'done',
  ok: 'done',
};

const STATE_OF_STEP: Readonly<Record<string, string>> = {
  pending: 'pending',
  active: 'in_progress',
  completed: 'completed',
};

/**
 * CHT-316: details of ours (`metadata.details`) as `content_blocks`; undefined when newer peers have no block
 * for them. A proxy may have sent anything there.
 */
export function blocksOfDetails(details: unknown, content: string): readonly Block[] | undefined {
  if (!isObject(details)) return undefined;
  switch (details['kind']) {
    case 'thought':
      return [{ type: 'thinking', label: 'Thinking', content, collapsed: true }];
    case 'tool_call': {
      const status = STATUS_OF_TOOL[text(details['status'])] ?? 'error';
      const [label, call_id] = [text(details['title']), text(details['tool_call_id'])];
      return [{ type: 'tool_call', label, status, content: text(details['output']), call_id }];
    }
    case 'plan': {
      const tasks = listOf(details['steps']).map((step) => ({
        text: text(step['text']),
        state: STATE_OF_STEP[text(step['status'])] ?? 'failed',
      }));
      const completed = tasks.filter(({ state }) => state === 'completed').length;
      return [{ type: 'plan', label: 'Plan', total: tasks.length, completed, tasks }];
    }
    case 'step': {
      const label = [text(details['action']), text(details['subject'])]
        .filter((each) => each !== '')
        .join(' ');
      const status = STATUS_OF_TOOL[text(details['status'])] ?? 'error';
      return [{ type: 'tool_call', label, status, content }];
    }
    default:
      return undefined;
  }
}
