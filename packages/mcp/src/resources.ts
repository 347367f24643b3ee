import { visibleJson } from '@drawbridge/protocol';
import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { fence } from './answer/fence.ts';
import { OUTPUTS_URI } from './answer/output-store.ts';
import { tabLines } from './lent-tabs.ts';
import { numberAt, textAt } from './loose-value.ts';
import type { McpConnection } from './mcp-connection.ts';

export const RUNTIMES_URI = 'drawbridge://runtimes';
const TRACES_URI = 'drawbridge://traces';
const MAPS_URI = 'drawbridge://maps/';
const FILES_URI = 'drawbridge://files/';

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
  { uriTemplate: `${FILES_URI}{attachment_id}`, name: 'file', description: 'A file that a page saved.' },
];

export async function readResource(connection: McpConnection, uri: string): Promise<ReadResourceResult> {
  if (uri.startsWith(FILES_URI)) return savedFile(connection, uri);
  const text = textOf(connection, uri);
  if (text === undefined) throw new ResourceNotFoundError(uri);
  const mimeType = uri.startsWith(MAPS_URI) ? 'application/json' : 'text/plain';
  return { contents: [{ uri, mimeType, text }] };
}

const PART_BYTES = 786_432;
/** A client keeps the whole answer in memory. */
const MAX_FILE_BYTES = 64 * 1_048_576;

/** The bytes of a saved file, from the browser that has it. */
async function savedFile({ bridge }: McpConnection, uri: string): Promise<ReadResourceResult> {
  const attachment_id = uri.slice(FILES_URI.length);
  for (const { runtime_id } of bridge.runtimes()) {
    const read = (from: number) =>
      bridge.call({
        ...{ call_id: crypto.randomUUID(), target_runtime_id: runtime_id, name: 'browser.files.read' },
        arguments: { attachment_id, from, length: PART_BYTES },
      }).output;
    const first = await read(0).catch((error: unknown) => {
      if (textAt(error, 'code') === 'permission_denied') throw error;
      return undefined;
    });
    const bytes = numberAt(first, 'bytes');
    if (bytes === undefined || bytes > MAX_FILE_BYTES) continue;
    let blob = textAt(first, 'base64') ?? '';
    for (let from = PART_BYTES; from < bytes; from += PART_BYTES)
      blob += textAt(await read(from), 'base64') ?? '';
    const mimeType = textAt(first, 'type') || 'application/octet-stream';
    return { contents: [{ uri, mimeType, blob }] };
  }
  throw new ResourceNotFoundError(uri);
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
