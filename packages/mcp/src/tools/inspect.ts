import { BridgeError } from '@drawbridge/protocol';
import type { Answer } from '../answer/answer.ts';
import { oneLine, originOf } from '../answer/fence.ts';
import { type TabRoute, tabRoute, urlOf } from '../lent-tabs.ts';
import { listAt, numberAt, textAt, valueAt } from '../loose-value.ts';
import {
  type Called,
  callPrimitive,
  type Fields,
  READ_ONLY,
  TAB,
  type Tool,
  type ToolContext,
} from './tool.ts';

type Look = (args: Fields, route: TabRoute, context: ToolContext) => Promise<Called & { lines: string[] }>;

const LOOKS = {
  async console(args, route, context) {
    const called = await callPrimitive(context, route, 'inspect.messages', queryOf(args));
    return { ...called, lines: listAt(called.output, 'messages').map(messageLine) };
  },
  async requests(args, route, context) {
    const called = await callPrimitive(context, route, 'inspect.requests', queryOf(args));
    return { ...called, lines: listAt(called.output, 'requests').map(requestLine) };
  },
  async body(args, route, context) {
    const request_id = textAt(args, 'id');
    if (request_id === undefined) throw new BridgeError('invalid_input', 'body needs `id`, of a request.');
    const called = await callPrimitive(context, route, 'inspect.body', { request_id });
    return { ...called, lines: [textAt(called.output, 'body') ?? ''] };
  },
  async storage(args, route, context) {
    const keys = listAt(args, 'keys').map(String);
    const called = await callPrimitive(context, route, 'inspect.storage', keys.length > 0 ? { keys } : {});
    const stored = ['cookies', 'local', 'session'].flatMap((kind) =>
      listAt(called.output, kind).map((each) => storedLine(kind, each)),
    );
    const unseen = textAt(called.output, 'unseen');
    return { ...called, lines: [...stored, ...(unseen === undefined ? [] : [`not seen: ${unseen}`])] };
  },
} as const satisfies Record<string, Look>;

export const INSPECT: Tool = {
  name: 'inspect',
  description:
    'Developer tools, if the person agrees: console and errors, requests, a response body, names of cookies and storage keys.',
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      show: { type: 'string', enum: Object.keys(LOOKS) },
      id: { type: 'string', description: 'body: of the request' },
      keys: { type: 'array', items: { type: 'string' }, description: 'storage: their values too' },
      query: { type: 'string', description: 'only lines with this' },
    },
    required: ['show'],
  },
  annotations: READ_ONLY,
  async handle(args, context): Promise<Answer> {
    const show = textAt(args, 'show');
    const look = Object.entries(LOOKS).find(([name]) => name === show)?.[1] ?? LOOKS.console;
    const { output, view, lines } = await look(args, tabRoute(args, context), context);
    const omitted = numberAt(output, 'omitted') ?? 0;
    if (lines.length === 0) return { said: `${show}: nothing so far.` };
    return {
      pages: [{ origin: originOf(view && urlOf(view)), text: lines.join('\n') }],
      ...(omitted > 0 && { next: `${omitted} older ones are left out: use \`query\`.` }),
    };
  },
};

function queryOf(args: Fields): { query?: string } {
  const query = textAt(args, 'query');
  return query === undefined ? {} : { query };
}

const messageLine = (message: unknown): string => {
  const source = textAt(message, 'source');
  const at = textAt(message, 'at')?.slice(11, 19) ?? '';
  const where = source === undefined ? '' : ` (${source})`;
  return `${at} ${textAt(message, 'level') ?? ''} ${textAt(message, 'text') ?? ''}${where}`;
};

function requestLine(request: unknown): string {
  const part = (name: string) => textAt(request, name);
  const number = (name: string, unit: string) => {
    const value = numberAt(request, name);
    return value === undefined ? undefined : `${value}${unit}`;
  };
  const outcome = part('failure') ?? number('status', '') ?? 'pending';
  const words = [part('request_id'), part('method'), outcome, part('type'), number('ms', 'ms')];
  return oneLine(
    [...words, number('bytes', 'B'), part('url')].filter((word) => word !== undefined).join(' '),
    500,
  );
}

function storedLine(kind: string, item: unknown): string {
  const value = textAt(item, 'value');
  const flags = [
    valueAt(item, 'http_only') === true ? 'HttpOnly' : undefined,
    valueAt(item, 'secure') === true ? 'Secure' : undefined,
    textAt(item, 'same_site'),
    numberAt(item, 'length') === undefined ? undefined : `${numberAt(item, 'length')} characters`,
  ].filter((flag) => flag !== undefined);
  const head = [kind === 'cookies' ? 'cookie' : kind, oneLine(textAt(item, 'name') ?? '', 200), ...flags];
  return `${head.join(' ')}${value === undefined ? '' : ` = ${oneLine(value, 2_000)}`}`;
}
