import { visibleJson } from '@drawbridge/protocol';
import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { fence } from './answer/fence.ts';
import { OUTPUTS_URI } from './answer/output-store.ts';
import { tabLines } from './lent-tabs.ts';
import type { McpConnection } from './mcp-connection.ts';

export const RUNTIMES_URI = 'drawbridge://runtimes';
const TRACES_URI = 'drawbridge://traces';
const MAPS_URI = 'drawbridge://maps/';

export const RESOURCES: readonly Resource[] = [
  { uri: RUNTIMES_URI, name: 'runtimes', description: 'The tabs lent to you.', mimeType: 'text/plain' },
  {
    uri: TRACES_URI,
    name: 'traces',
    description: 'The last calls and how they ended.',
    mimeType: 'text/plain',
  },
];

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${MAPS_URI}{runtime_id}`,
    name: 'map',
    description: "The map of a tab's site.",
    mimeType: 'application/json',
  },
  {
    uriTemplate: `${OUTPUTS_URI}{id}`,
    name: 'output',
    description: 'An answer that was too large.',
    mimeType: 'text/plain',
  },
];

export function readResource(connection: McpConnection, uri: string): ReadResourceResult {
  const text = textOf(connection, uri);
  if (text === undefined) throw new ResourceNotFoundError(uri);
  const mimeType = uri.startsWith(MAPS_URI) ? 'application/json' : 'text/plain';
  return { contents: [{ uri, mimeType, text }] };
}

function textOf({ bridge, answering, traces }: McpConnection, uri: string): string | undefined {
  const { outputs, nonce } = answering;
  if (uri === RUNTIMES_URI) return fence('tabs', tabLines(bridge.runtimes()), nonce);
  if (uri === TRACES_URI) return traces.entries().map(traceLine).join('\n');
  if (uri.startsWith(OUTPUTS_URI)) {
    const output = outputs.get(uri.slice(OUTPUTS_URI.length));
    return output && fence(output.origin, output.text, nonce);
  }
  if (!uri.startsWith(MAPS_URI)) return undefined;
  const id = decodeURIComponent(uri.slice(MAPS_URI.length));
  const view = bridge.runtimes().find(({ runtime_id }) => runtime_id === id);
  return view?.ready.manifest && visibleJson(view.ready.manifest);
}

function traceLine({ at, name, runtime_id, ms, outcome, arguments: args }: TraceLine): string {
  return [at, name, runtime_id ?? '-', `${ms}ms`, outcome, args].join(' ').trimEnd();
}

type TraceLine = ReturnType<McpConnection['traces']['entries']>[number];
