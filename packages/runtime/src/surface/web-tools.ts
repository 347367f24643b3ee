import { type Handler, type HandlerRegistry, offerMap } from '@drawbridge/manifest';
import type { Tool } from '@drawbridge/protocol/manifest';
import { originOf } from '../call/call-context.ts';
import { effectOfWords } from '../grants/element-context.ts';
import type { SurfaceHost } from '../host.ts';
import type { WebTool } from '../in-page/web-tools.ts';
import type { MapChoice } from '../maps/map-source.ts';

/** Adds the page's own tools to those of its map. */
export interface WebTools {
  /** Lists the page's tools; returns whether they changed. */
  readonly refresh: () => Promise<boolean>;
  readonly addTo: (choice: MapChoice) => MapChoice;
  /** Our handlers and the page's current ones. */
  readonly handlers: HandlerRegistry;
}

const NAMESPACE = 'webmcp';
const MAX_NAME_CHARS = 64;

export function createWebTools(host: SurfaceHost, own: HandlerRegistry = new Map()): WebTools {
  const handlers = new Map(own);
  let listed: readonly WebTool[] = [];
  let origin = '';
  let added = new Set<string>();

  const runOf = (tool: WebTool): Handler => {
    const listedAt = origin;
    return (input, signal) =>
      host.callPage('webtools.call', [{ tool, arguments: input }, { origin: listedAt }], signal);
  };

  return {
    handlers,
    async refresh() {
      const before = JSON.stringify([origin, listed]);
      origin = originOf(host.surface().url);
      // A host or document without page code has no page tools.
      listed = parseListed(await host.callPage('webtools.list', [{}]).catch(() => []));
      return JSON.stringify([origin, listed]) !== before;
    },
    addTo(choice) {
      for (const name of added) if (!own.has(name)) handlers.delete(name);
      added = new Set();
      // An invalid map is reported first.
      if (listed.length === 0 || !choice.offer.ready) return choice;
      const { map } = choice.offer;
      const taken = new Set([...map.tools.map(({ name }) => name), ...own.keys()]);
      const tools = listed.flatMap((webTool) => {
        const tool = toolOf(webTool, freeName(webTool.name, taken));
        if (!offerMap({ protocol: 'actions.json', version: 1, tools: [tool] }).ready) return [];
        taken.add(tool.name);
        added.add(tool.name);
        handlers.set(tool.name, runOf(webTool));
        return tool;
      });
      const offer = { ...choice.offer, map: { ...map, tools: [...map.tools, ...tools] } };
      return { ...choice, offer, webTools: added };
    },
  };
}

/** Quotes the page's text, because a model reads it next to ours. */
function toolOf({ name, description, input_schema }: WebTool, ours: string): Tool {
  return {
    name: ours,
    description: `A tool of the page itself, which calls it ${JSON.stringify(name)} and says: ${JSON.stringify(description)}`,
    input_schema,
    x_actions: {
      handler: ours,
      effect: effectOfWords(`${name} ${description}`),
      source: { kind: 'website', trust: 'website' },
    },
  };
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
