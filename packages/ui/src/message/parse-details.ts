import type { MessageDetails } from '@drawbridge/protocol';

type Fields = Readonly<Record<string, unknown>>;
type Details<Kind extends MessageDetails['kind']> = Extract<MessageDetails, { kind: Kind }>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
const rows = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const oneOf = <Word extends string>(words: readonly Word[], value: unknown, otherwise: Word): Word =>
  words.find((word) => word === value) ?? otherwise;

const TOOL = ['pending', 'running', 'completed', 'failed', 'stopped'] as const;
const STEP = ['running', 'ok', 'failed', 'unknown'] as const;
const PLAN = ['pending', 'active', 'completed', 'failed'] as const;
const TASK = ['completed', 'failed', 'cancelled', 'unknown'] as const;

/**
 * Parses `message.metadata.details`, written by a proxy. Drops missing or mistyped fields; returns undefined
 * for anything else, and the message is then shown by its `content` alone.
 */
export function parseDetails(metadata: Fields | undefined): MessageDetails | undefined {
  const details = metadata?.['details'];
  if (!isFields(details)) return undefined;
  switch (details['kind']) {
    case 'thought':
      return { kind: 'thought' };
    case 'tool_call':
      return parseToolCall(details);
    case 'plan':
      return {
        kind: 'plan',
        steps: rows(details['steps']).map((step) => ({
          text: text(step['text']) ?? '',
          status: oneOf(PLAN, step['status'], 'pending'),
        })),
      };
    case 'step':
      return parseStep(details);
    case 'task_result':
      return {
        kind: 'task_result',
        task_id: text(details['task_id']) ?? '',
        status: oneOf(TASK, details['status'], 'unknown'),
        result: details['result'],
      };
    case 'usage':
      return parseUsage(details);
    default:
      return undefined;
  }
}

function parseToolCall(details: Fields): Details<'tool_call'> {
  const output = text(details['output']);
  const tool_kind = text(details['tool_kind']);
  return {
    kind: 'tool_call',
    tool_call_id: text(details['tool_call_id']) ?? '',
    title: text(details['title']) ?? '',
    status: oneOf(TOOL, details['status'], 'completed'),
    ...(tool_kind !== undefined && { tool_kind }),
    ...(details['input'] !== undefined && { input: details['input'] }),
    ...(output !== undefined && { output }),
    locations: rows(details['locations']).map((place) => {
      const line = count(place['line']);
      return { path: text(place['path']) ?? '', ...(line !== undefined && { line }) };
    }),
    diffs: rows(details['diffs']).map((diff) => ({
      path: text(diff['path']) ?? '',
      old_text: text(diff['old_text']) ?? null,
      new_text: text(diff['new_text']) ?? '',
    })),
  };
}

function parseStep(details: Fields): Details<'step'> {
  const before = parseLocation(details['before']);
  const after = parseLocation(details['after']);
  const { error } = details;
  const thought = text(details['thought']);
  const subject = text(details['subject']);
  const thumbnail = text(details['thumbnail']);
  return {
    kind: 'step',
    task_id: text(details['task_id']) ?? '',
    index: count(details['index']) ?? 0,
    action: text(details['action']) ?? '',
    status: oneOf(STEP, details['status'], 'unknown'),
    changes: texts(details['changes']),
    events: texts(details['events']),
    ...(thought !== undefined && { thought }),
    ...(subject !== undefined && { subject }),
    ...(thumbnail !== undefined && { thumbnail }),
    ...(before && { before }),
    ...(after && { after }),
    ...(isFields(error) && {
      error: { code: text(error['code']) ?? '', message: text(error['message']) ?? '' },
    }),
  };
}

function parseLocation(value: unknown): { url: string; title?: string } | undefined {
  if (!isFields(value)) return undefined;
  const title = text(value['title']);
  return { url: text(value['url']) ?? '', ...(title !== undefined && { title }) };
}

function parseUsage(details: Fields): Details<'usage'> {
  const usage: Details<'usage'> = { kind: 'usage' };
  for (const field of ['input_tokens', 'output_tokens', 'used', 'size'] as const) {
    const value = count(details[field]);
    if (value !== undefined) usage[field] = value;
  }
  if (isFields(details['cost'])) usage.cost = details['cost'];
  return usage;
}
