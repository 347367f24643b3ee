import type { ContentBlock, ToolCall, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { MessageDetails } from '@drawbridge/protocol';

export type ToolCallDetails = Extract<MessageDetails, { readonly kind: 'tool_call' }>;

/** A tool call, merged from all updates so far. */
export type KnownCall = Pick<ToolCall, 'toolCallId' | 'title'> & Partial<ToolCall>;

const MAX_TEXT = 20_000;
const MAX_DIFF = 100_000;
/** Total for all diffs of a call: a frame holds a million characters. */
const MAX_DIFFS = 400_000;
const MAX_TITLE = 1_000;

export const clip = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n… (${text.length - most} more characters)`;

/** Keeps the end, which says how a command came out, and the beginning of what is before it. */
const clipMiddle = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const head = Math.floor(most / 4);
  const left = text.length - most;
  return `${text.slice(0, head)}\n… (${left} more characters) …\n${text.slice(text.length - (most - head))}`;
};

/** Updates contain only changed fields. */
export function mergeCall(known: KnownCall | undefined, update: ToolCall | ToolCallUpdate): KnownCall {
  const said = Object.fromEntries(
    Object.entries(update).filter(
      ([key, value]) => value !== undefined && value !== null && key !== 'sessionUpdate',
    ),
  );
  return { title: 'Tool', ...known, ...said, toolCallId: update.toolCallId };
}

export function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.name}](${block.uri})`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}]`;
    default:
      return `[${block.type}]`;
  }
}

const outputOf = (content: readonly ToolCallContent[]): string =>
  content.flatMap((each) => (each.type === 'content' ? [textOf(each.content)] : [])).join('\n');

/** Fields of a command's result in which agents put what it printed. */
const PRINTED = ['formatted_output', 'aggregated_output', 'output', 'stdout', 'stderr'] as const;

/** The output of a tool that reports it as data only, such as a command in the agent's own terminal. */
function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  if (typeof raw === 'string') return raw;
  const fields = new Map<string, unknown>(Object.entries(raw));
  const printed = PRINTED.flatMap((name) => {
    const text = fields.get(name);
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
  const [first, ...rest] = printed;
  if (first === undefined) return JSON.stringify(raw, null, 2);
  // Beside `stdout` stands `stderr`; the other fields repeat both.
  return first === fields.get('stdout') ? [first, ...rest].join('\n') : first;
}

const STATUS = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
} as const satisfies Record<string, ToolCallDetails['status']>;

/** True until the agent reports its end. */
export const isOpen = ({ status }: KnownCall): boolean => status !== 'completed' && status !== 'failed';

/** `isOver`: its turn has ended. */
export function detailsOf(call: KnownCall, isOver = false): ToolCallDetails {
  const { toolCallId, title, kind, status = 'pending', content = [], locations = [], rawInput } = call;
  const hasTerminal = content.some(isTerminal);
  const isData = content.length === 0 || hasTerminal;
  const output = outputOf(content) || (isData ? rawText(call.rawOutput) : '');
  const diffs = content.flatMap((each) =>
    each.type === 'diff'
      ? [
          {
            path: each.path,
            old_text: each.oldText == null ? null : clip(each.oldText, MAX_DIFF),
            new_text: clip(each.newText, MAX_DIFF),
          },
        ]
      : [],
  );
  const isSmall = rawInput !== undefined && JSON.stringify(rawInput).length <= MAX_TEXT;
  return {
    kind: 'tool_call',
    tool_call_id: toolCallId.slice(0, 256),
    title: title.slice(0, MAX_TITLE),
    status: isOver && isOpen(call) ? 'stopped' : STATUS[status],
    ...(kind ? { tool_kind: kind } : hasTerminal ? { tool_kind: 'execute' } : {}),
    ...(isSmall && { input: rawInput }),
    ...(output !== '' && { output: clipMiddle(output, MAX_TEXT) }),
    ...(locations.length > 0 && {
      locations: locations.map(({ path, line }) => ({ path, ...(line != null && { line }) })),
    }),
    ...(diffs.length > 0 && { diffs: fitting(diffs) }),
  };
}

const isTerminal = ({ type }: ToolCallContent): boolean => type === 'terminal';

type FileDiff = NonNullable<ToolCallDetails['diffs']>[number];

function fitting(diffs: readonly FileDiff[]): FileDiff[] {
  let left = MAX_DIFFS;
  return diffs.filter(({ old_text, new_text }) => {
    left -= (old_text?.length ?? 0) + new_text.length;
    return left >= 0;
  });
}

/** Plain text for clients that ignore details. */
export function plainCall(details: ToolCallDetails): string {
  const { title, status, output, diffs = [] } = details;
  return [
    `${title} (${status})`,
    ...(output === undefined ? [] : [output]),
    ...diffs.map(({ path }) => path),
  ].join('\n');
}

/** Everything that a person must see before permitting it. */
export function askedText(call: KnownCall): string {
  const { rawInput, content = [], locations = [] } = call;
  const diffs = content.flatMap((each) =>
    each.type === 'diff'
      ? [`${each.path}\n${marked('-', each.oldText ?? '')}${marked('+', each.newText)}`]
      : [],
  );
  const input = rawInput === undefined || isEmpty(rawInput) ? [] : [inputText(rawInput)];
  const output = outputOf(content);
  // Many agents title a command with the command itself: show it once.
  const isSaid = input.some((text) => text === `$ ${call.title}`);
  const parts = [...(isSaid ? [] : [call.title]), ...input, ...(output === '' ? [] : [output]), ...diffs];
  const named = locations
    .map(({ path }) => path)
    .filter((path) => !parts.some((part) => part.includes(path)));
  return clip([...parts, ...named].join('\n'), MAX_TEXT);
}

const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}';

const inputText = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'command' in value && typeof value.command === 'string'
    ? `$ ${value.command}`
    : JSON.stringify(value, null, 2);

const marked = (mark: string, text: string): string =>
  text === '' ? '' : `${text.replace(/\n$/, '').replace(/^/gm, `${mark} `)}\n`;
