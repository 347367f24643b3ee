import { createHash } from 'node:crypto';
import type { RuntimeView } from '@drawbridge/bridge';
import { pageText, type RuntimeReady } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { JSONObject } from '@modelcontextprotocol/server';
import { oneLine, originOf } from './answer/fence.ts';
import { listAt, textAt, valueAt } from './loose-value.ts';
import { outputAnswer } from './tools/site.ts';
import { ACTS, LOOKS, TAB, type Tool, tabRoute } from './tools/tool.ts';

const MOST_TOOLS = 64;
const LONGEST_NAME = 64;
const PREFIX = 'site_';

/** What the maps of all tabs declare, as tools of their own: each name once, whichever tabs have it. */
export function mapTools(views: readonly RuntimeView[]): readonly Tool[] {
  const tools = new Map<string, Tool>();
  for (const { ready } of views) {
    for (const tool of declaredBy(ready).tools) {
      if (!tools.has(tool.name) && tools.size < MOST_TOOLS) tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}

/** Another text when the tools are others. */
export const mapToolsMark = (views: readonly RuntimeView[]): string =>
  views.map(({ ready }) => declaredBy(ready).mark).join();

interface Declared {
  readonly tools: readonly Tool[];
  readonly mark: string;
}

/** A heartbeat comes every few seconds, and a map may have megabytes: each is read once. */
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
  // One that only reports from the page is no action (MAN-137).
  const isReport = textAt(declared, 'x_actions', 'direction') === 'html_to_agent';
  if (name === undefined || !isObject(schema) || isReport) return undefined;
  const { properties, ...rest } = parseSchema(schema);
  const tabKey = Object.hasOwn(properties, 'tab') ? '_tab' : 'tab';
  const effect = textAt(declared, 'x_actions', 'effect');
  return {
    name: mcpName(name),
    description: `${originOf(url)}: ${oneLine(textAt(declared, 'description') ?? name, 300)}`,
    input_schema: { ...rest, type: 'object', properties: { ...properties, [tabKey]: TAB.tab } },
    annotations: effect === 'read' ? LOOKS : { ...ACTS, destructiveHint: effect !== 'act' },
    async handle({ [tabKey]: tab, ...args }, hands) {
      const answered = await hands.call({ name, arguments: args, route: tabRoute({ tab }, hands) });
      return outputAnswer(name, answered.output, answered.view);
    },
  };
}

/**
 * `cart.add` as `site_cart__add`. Two names never become one: what could be taken for another, or is too long,
 * carries a digest of itself.
 */
export function mcpName(name: string): string {
  const plain = PREFIX + name.replaceAll('.', '__');
  if (!/__|_\.|\._/.test(name) && /^[\w-]+$/.test(plain) && plain.length <= LONGEST_NAME) return plain;
  const digest = digestOf(name);
  const readable = plain.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST_NAME - digest.length - 2);
  return `${readable}__${digest}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** A map came over a wire as JSON, and is JSON still. */
function parseSchema(schema: object): JSONObject & { readonly properties: JSONObject } {
  const copy: JSONObject = JSON.parse(JSON.stringify(schema), visibleWords);
  const { properties } = copy;
  return { ...copy, properties: isObject(properties) ? JSON.parse(JSON.stringify(properties)) : {} };
}

/** Descriptions and titles reach the model outside a fence. Names and values stay: calls are checked against them. */
const visibleWords = (key: string, value: unknown): unknown =>
  typeof value === 'string' && (key === 'description' || key === 'title') ? pageText(value) : value;
