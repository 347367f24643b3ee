import { isObject } from '../wire/json-text.ts';

/** `content_blocks` made from details of ours, for newer peers. */

type Block = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly Block[] => (Array.isArray(value) ? value.filter(isObject) : []);

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

/** A call, its result when it has ended, and the files that it changed. */
function callBlocks(details: Block): readonly Block[] {
  const status = STATUS_OF_TOOL[text(details['status'])] ?? 'error';
  const [label, call_id, output] = ['title', 'tool_call_id', 'output'].map((key) => text(details[key]));
  const files = listOf(details['diffs']).map(fileOf);
  const isEnded = status !== 'running' && output !== '';
  return [
    { type: 'tool_call', label, status, content: isEnded ? '' : output, call_id },
    ...(isEnded ? [{ type: 'tool_result', label, status, content: output, call_id }] : []),
    ...(files.length > 0
      ? [{ type: 'file_changes', summary: `${files.length} ${files.length === 1 ? 'file' : 'files'}`, files }]
      : []),
  ];
}

const linesOf = (value: unknown): readonly string[] => {
  const lines = text(value);
  return lines === '' ? [] : lines.replace(/\n$/, '').split('\n');
};

/** Counts lines without their order: a moved line is no change. */
function fileOf(diff: Block): Block {
  const left = new Map<string, number>();
  const before = linesOf(diff['old_text']);
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  let added = 0;
  let kept = 0;
  for (const line of linesOf(diff['new_text'])) {
    const count = left.get(line) ?? 0;
    if (count === 0) added += 1;
    else {
      kept += 1;
      left.set(line, count - 1);
    }
  }
  return { path: text(diff['path']), added, removed: before.length - kept };
}

/**
 * CHT-316: details of ours (`metadata.details`) as `content_blocks`; undefined when newer peers have no block
 * for them. A proxy may have sent anything there.
 */
export function blocksOfDetails(details: unknown, content: string): readonly Block[] | undefined {
  if (!isObject(details)) return undefined;
  switch (details['kind']) {
    case 'thought':
      return [{ type: 'thinking', label: 'Thinking', content, collapsed: true }];
    case 'tool_call':
      return callBlocks(details);
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
