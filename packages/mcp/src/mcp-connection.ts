import type { AgentSide } from '@drawbridge/bridge';
import { checkSchema, type SchemaResult, SITE_TOOL } from '@drawbridge/manifest';
import { type BridgeItem, visibleJson } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { createRequestStateCodec, type Implementation } from '@modelcontextprotocol/server';
import type { AnswerOptions } from './answer/answer.ts';
import { keyedNonce, type Nonce, oneLine } from './answer/fence.ts';
import { createLooks } from './answer/looks.ts';
import { createOutputStore, type OutputStoreLimits } from './answer/output-store.ts';
import type { Approvals } from './approval/approvals.ts';
import { createTabNews, tabLines } from './lent-tabs.ts';
import { mapToolsMark } from './map-tools.ts';
import type { CallRun } from './tool-call.ts';

export interface McpOptions {
  readonly bridge: AgentSide;
  /** Awaited before a tool runs, since a browser may start on first use. A failure becomes the answer. */
  readonly ready?: () => Promise<unknown>;
  /** Asks people through MCP; pass its `asker` to the runtime. */
  readonly approvals?: Approvals;
  /** People are asked elsewhere, such as on a phone: a call waits as long as for a form. */
  readonly asksElsewhere?: boolean;
  /**
   * Whether this client gets the tools of maps as typed tools. Off by default: a changing list breaks prompt
   * caches, and `site` calls the same tools. `handlesListChanges` knows some clients that support it.
   */
  readonly offersMapTools?: (client: Implementation | undefined) => boolean;
  /** Checks arguments against the schema of a page's tool; on this thread by default. */
  readonly checkArguments?: CheckArguments;
  /** Limit of page text in one answer, in tokens. */
  readonly maxTokens?: number;
  readonly outputLimits?: OutputStoreLimits;
  readonly nonce?: Nonce;
  readonly now?: () => number;
}

export type CheckArguments = (schema: object, args: unknown) => SchemaResult | Promise<SchemaResult>;

export type ConnectionChange = 'tools' | 'tabs';

export type McpConnection = ReturnType<typeof createMcpConnection>;

const MAX_TOKENS = 5000;
const STATE_TTL_SECONDS = 3_600;

/** Clients that reload the tools after a list change (https://canimcp.dev). */
const LIST_CHANGERS = /^(claude-code|opencode|visual studio code)/i;

export const handlesListChanges = (client: Implementation | undefined): boolean =>
  client !== undefined && LIST_CHANGERS.test(client.name);

/**
 * State of one agent: stored outputs, page events, calls that wait for a person. Outlives requests, which
 * over HTTP each have a server. Never shared between agents.
 */
export function createMcpConnection(options: McpOptions) {
  const { bridge, approvals, offersMapTools = () => false, maxTokens = MAX_TOKENS, now = Date.now } = options;
  const events = createPageEvents();
  const looks = createLooks();
  const answering = {
    told: looks.told,
    outputs: createOutputStore(options.outputLimits),
    maxTokens,
    nonce: options.nonce ?? keyedNonce(),
  } satisfies AnswerOptions;
  const parked = createParkedRuns();
  // The time limit of a question ends its run long before.
  const runStates = createRequestStateCodec<string>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: STATE_TTL_SECONDS,
  });
  const listeners = new Set<(change: ConnectionChange) => void>();
  const lists = { tools: () => mapToolsMark(bridge.runtimes()), tabs: () => tabLines(bridge.runtimes()) };
  const seen = { tools: lists.tools(), tabs: lists.tabs() };
  const look = (change: ConnectionChange) => {
    const mark = lists[change]();
    if (mark === seen[change]) return;
    seen[change] = mark;
    for (const listener of listeners) listener(change);
  };
  const unwatch = bridge.watch((event) => {
    if (event.kind === 'item') return events.receive(event.item);
    if (event.kind === 'gone') events.forget(event.runtime_id);
    look('tools');
    look('tabs');
  });
  return {
    bridge,
    ready: options.ready ?? (async (): Promise<unknown> => undefined),
    approvals,
    asksElsewhere: options.asksElsewhere ?? false,
    offersMapTools,
    checkArguments: options.checkArguments ?? checkSchema,
    answering,
    looks,
    /** Tabs that no answer has named yet. */
    newTabs: createTabNews(),
    traces: createTraceLog(),
    events,
    parked,
    /** Seals the id of a parked run in `requestState`. */
    runStates,
    now,
    /** Notifies of changed lists. */
    watch(listener: (change: ConnectionChange) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(): void {
      unwatch();
      listeners.clear();
      parked.close();
    },
  };
}

const MAX_EVENTS = 5;
const MOST_CHARACTERS = 300;

/**
 * Unsolicited page events since the agent's last look. Sent with the next answer about that tab, inside its
 * fence: data of the page, never a person's message (BRG-105).
 */
function createPageEvents() {
  const waiting = new Map<string, string[]>();
  return {
    receive(item: BridgeItem): void {
      if (item.type !== 'dom_event') return;
      const lines = waiting.get(item.runtime_id) ?? [];
      lines.push(oneLine(`event ${item.name} ${visibleJson(item.payload)}`, MOST_CHARACTERS));
      waiting.set(item.runtime_id, lines.slice(-MAX_EVENTS));
    },
    forget: (runtimeId: string): void => void waiting.delete(runtimeId),
    /** One line each, returned once. */
    take(runtimeId: string): readonly string[] {
      const lines = waiting.get(runtimeId) ?? [];
      waiting.delete(runtimeId);
      return lines;
    },
  };
}

/** One bridge call: name, target, duration and outcome. */
interface TraceEntry {
  readonly at: string;
  readonly name: string;
  readonly runtime_id?: string;
  readonly ms: number;
  /** `ok`, `cancelled`, or the error code. */
  readonly outcome: string;
  readonly arguments: string;
}

const MOST_ENTRIES = 100;

export function createTraceLog(most = MOST_ENTRIES) {
  const kept: TraceEntry[] = [];
  return {
    add(entry: TraceEntry): void {
      kept.push(entry);
      if (kept.length > most) kept.shift();
    },
    entries: (): readonly TraceEntry[] => [...kept],
  };
}

/** Arguments whose values come from us or a schema. Other texts may be secret: only their length is logged. */
const PLAIN: ReadonlySet<string> = new Set([
  'id',
  'to',
  'mode',
  'scope',
  'form',
  'region',
  'since',
  'action',
  'for',
  'format',
]);

/** Only its map knows a declared tool's arguments, so none of their text is logged. */
export function shortArguments(name: string, args: Readonly<Record<string, unknown>>): string {
  const isOurs = name === SITE_TOOL.name || primitiveByName(name) !== undefined;
  return Object.entries(args)
    .map(([key, value]) => `${key}=${shortValue(value, isOurs && PLAIN.has(key))}`)
    .join(' ');
}

function shortValue(value: unknown, isPlain: boolean): string {
  if (typeof value === 'string') return isPlain ? value.slice(0, 40) : `(${value.length} characters)`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return `(${value.length} items)`;
  return '{…}';
}

interface Parked {
  readonly run: CallRun;
  /** The exact request that began it; no other may continue it. */
  readonly request: string;
  readonly answer: (responses: Record<string, unknown> | undefined) => void;
}

const MOST_PARKED = 64;

/** Runs that wait for a person's answer in a later request. Each is continued once (BRG-129). */
export function createParkedRuns(most = MOST_PARKED) {
  const waiting = new Map<string, Parked>();
  return {
    park(parked: Parked): void {
      waiting.set(parked.run.id, parked);
      for (const [id, oldest] of waiting) {
        if (waiting.size <= most) break;
        waiting.delete(id);
        oldest.run.close('Too many calls wait for an answer.');
      }
    },
    take(id: string, request: string): Parked | undefined {
      const parked = waiting.get(id);
      if (parked?.request !== request) return undefined;
      waiting.delete(id);
      return parked;
    },
    close(): void {
      for (const { run } of waiting.values()) run.close('The server is closing.');
      waiting.clear();
    },
  };
}
