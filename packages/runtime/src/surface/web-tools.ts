import { RecentMap } from '@drawbridge/base';
import { type Handler, type HandlerRegistry, offerMap } from '@drawbridge/manifest';
import type { WebTool } from '@drawbridge/page/calls';
import { BridgeError } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { originOf } from '../address/local-network.ts';
import { effectOfWords } from '../grants/element-context.ts';
import type { SurfaceHost } from '../host.ts';
import type { MapChoice } from '../maps/map-source.ts';

/** Adds the page's own tools to those of its map. */
export type WebTools = ReturnType<typeof createWebTools>;

const NAMESPACE = 'webmcp';
const MAX_NAME_CHARS = 64;
const MOST_KNOWN = 500;

export function createWebTools(host: SurfaceHost, own: HandlerRegistry = new Map()) {
  const handlers = new Map(own);
  let listed: readonly WebTool[] = [];
  let origin = '';
  let added = new Set<string>();
  /** Forms of tools by name and page, as first announced or last shown: a page may change one, and a frame take its name. */
  const shown = new RecentMap<string, string>(MOST_KNOWN);
  let current = new Map<string, WebTool>();

  const keyOf = (name: string): string => `${name} ${origin}`;
  const requireShown = (name: string): void => {
    const tool = current.get(name);
    if (tool === undefined || shown.get(keyOf(name)) === formOf(tool)) return;
    shown.set(keyOf(name), formOf(tool));
    throw changed(name, tool);
  };

  const runOf = (tool: WebTool): Handler => {
    const listedAt = origin;
    return (input, signal) =>
      host.callPage('webtools.call', [{ tool, arguments: input }, { origin: listedAt }], signal);
  };

  return {
    /** Our handlers and the page's current ones. */
    handlers,
    /** Lists the page's tools; returns whether they changed. */
    async refresh(): Promise<boolean> {
      const before = JSON.stringify([origin, listed]);
      origin = originOf(host.surface().url);
      // A host or document without page code has no page tools.
      listed = parseListed(await host.callPage('webtools.list', [{}]).catch(() => []));
      return JSON.stringify([origin, listed]) !== before;
    },
    addTo(choice: MapChoice): MapChoice {
      for (const name of added) if (!own.has(name)) handlers.delete(name);
      added = new Set();
      current = new Map();
      // An invalid map is reported first.
      if (listed.length === 0 || !choice.offer.ready) return choice;
      const { map } = choice.offer;
      const taken = new Set([...map.tools.map(({ name }) => name), ...own.keys()]);
      const tools = listed.flatMap((webTool) => {
        const tool = toolOf(webTool, freeName(webTool.name, taken), origin);
        if (!offerMap({ protocol: 'actions.json', version: 1, tools: [tool] }).ready) return [];
        taken.add(tool.name);
        added.add(tool.name);
        handlers.set(tool.name, runOf(webTool));
        current.set(tool.name, webTool);
        const key = keyOf(tool.name);
        if (shown.get(key) === undefined) shown.set(key, formOf(webTool));
        return tool;
      });
      const offer = { ...choice.offer, map: { ...map, tools: [...map.tools, ...tools] } };
      return { ...choice, offer, webTools: added, requireShown };
    },
  };
}

/** Quotes the page's text, because a model reads it next to ours. */
function toolOf(tool: WebTool, ours: string, page: string): Tool {
  const { name, description, input_schema, origin, hints } = tool;
  const owner = origin === page ? 'the page itself' : `a frame of ${origin}`;
  const untrusted = hints.includes('untrustedContentHint');
  return {
    name: ours,
    description: [
      `A tool of ${owner}, which calls it ${JSON.stringify(name)} and says: ${JSON.stringify(description)}`,
      ...(untrusted ? ['The answers carry content of others, which the page does not vouch for.'] : []),
    ].join(' '),
    input_schema,
    x_actions: {
      handler: ours,
      // A page may call its tool graver than its words are, never more harmless.
      effect: hints.includes('consequentialHint') ? 'irreversible' : effectOfWords(`${name} ${description}`),
      source: {
        ...{ kind: 'website', trust: 'website', origin },
        ...(untrusted && { untrusted_content: true }),
      },
    },
  };
}

const formOf = ({ description, input_schema, hints, origin }: WebTool): string =>
  JSON.stringify([description, input_schema, hints, origin]);

const MAX_SHOWN_CHARS = 300;

function changed(name: string, { description, input_schema }: WebTool): BridgeError {
  const now = `${JSON.stringify(input_schema)} ${JSON.stringify(description)}`.slice(0, MAX_SHOWN_CHARS);
  const message = `${name} was not run: the page has changed it. Its arguments and description now: ${now}. Call it again if that is still meant.`;
  return new BridgeError('state_mismatch', message, { evidence: { reason: 'changed_tool', tool: name } });
}

/** Follows the naming rules of maps only. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const words = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARS);
  const isPlain = /^[A-Za-z]/.test(words) && words !== 'prototype' && !(words in Object.prototype);
  const base = `${NAMESPACE}.${isPlain ? words : `tool_${words}`}`;
  let free = base;
  for (let number = 2; taken.has(free); number++) free = `${base}_${number}`;
  return free;
}

/** Trusted: listed by our own page code. */
function parseListed(value: unknown): readonly WebTool[] {
  return Array.isArray(value) ? (value as readonly WebTool[]) : [];
}
