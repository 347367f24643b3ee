import { createHash } from 'node:crypto';
import type { RuntimeView } from '@drawbridge/bridge';
import { pageText, type RuntimeReady } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { JSONObject } from '@modelcontextprotocol/server';
import { oneLine, originOf } from './answer/fence.ts';
import { tabRoute } from './lent-tabs.ts';
import { listAt, textAt, valueAt } from './loose-value.ts';
import { outputAnswer } from './tools/site.ts';
import { ACTS, READ_ONLY, TAB, type Tool } from './tools/tool.ts';

const MOST_TOOLS = 64;
const LONGEST_NAME = 64;
const PREFIX = 'site_';

/** The declared tools of all tabs' maps, each name once. */
export function mapTools(views: readonly RuntimeView[]): readonly Tool[] {
  const tools = new Map<string, Tool>();
  for (const { ready } of views) {
    for (const tool of declaredBy(ready).tools) {
      if (!tools.has(tool.name) && tools.size < MOST_TOOLS) tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}

/** Changes with the tools. */
export const mapToolsMark = (views: readonly RuntimeView[]): string =>
  views.map(({ ready }) => declaredBy(ready).mark).join();

interface Declared {
  readonly tools: readonly Tool[];
  readonly mark: string;
}

/** Cached per announcement: heartbeats come every few seconds, and a map may have megabytes. */
const known = new WeakMap<RuntimeReady, Declared>();

function declaredBy(ready: RuntimeReady): Declared {
  const before = known.get(ready);
  if (before !== undefined) return before;
  const tools = listAt(ready.manifest, 'tools').flatMap((tool) => toolOf(tool, ready) ?? []);
  const words = tools.map(({ name, description, input_schema }) => [name, description, input_schema]);
  const declared = { tools, mark: tools.length === 0 ? '' : digestOf(JSON.stringify(words)) };
  known.set(ready, declared);
  return declared;
}

function toolOf(declared: unknown, { url }: RuntimeReady): Tool | undefined {
  const name = textAt(declared, 'name');
  const schema = valueAt(declared, 'input_schema');
  // A tool that only reports from the page is not an action (MAN-137).
  const isReport = textAt(declared, 'x_actions', 'direction') === 'html_to_agent';
  if (name === undefined || !isObject(schema) || isReport) return undefined;
  const { properties, ...rest } = parseSchema(schema);
  const tabKey = Object.hasOwn(properties, 'tab') ? '_tab' : 'tab';
  const effect = textAt(declared, 'x_actions', 'effect');
  return {
    name: mcpName(name),
    description: `${originOf(url)}: ${oneLine(textAt(declared, 'description') ?? name, 300)}`,
    input_schema: { ...rest, type: 'object', properties: { ...properties, [tabKey]: TAB.tab } },
    isFromPage: true,
    annotations: effect === 'read' ? READ_ONLY : { ...ACTS, destructiveHint: effect !== 'act' },
    async handle({ [tabKey]: tab, ...args }, context) {
      const answered = await context.call({ name, arguments: args, route: tabRoute({ tab }, context) });
      return outputAnswer(name, answered.output, answered.view);
    },
  };
}

/** `cart.add` becomes `site_cart__add`. Names stay unique: an ambiguous or overlong one gets a digest. */
export function mcpName(name: string): string {
  const plain = PREFIX + name.replaceAll('.', '__');
  if (!/__|_\.|\._/.test(name) && /^[\w-]+$/.test(plain) && plain.length <= LONGEST_NAME) return plain;
  const digest = digestOf(name);
  const readable = plain.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST_NAME - digest.length - 2);
  return `${readable}__${digest}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** A map comes as JSON. */
function parseSchema(schema: object): JSONObject & { readonly properties: JSONObject } {
  const copy: JSONObject = JSON.parse(JSON.stringify(schema), visibleWords);
  const { properties } = copy;
  return { ...copy, properties: isObject(properties) ? JSON.parse(JSON.stringify(properties)) : {} };
}

/**
 * Descriptions and titles reach the model outside a fence. Names and values stay, because calls are checked
 * against them.
 */
const visibleWords = (key: string, value: unknown): unknown =>
  typeof value === 'string' && (key === 'description' || key === 'title') ? pageText(value) : value;
