import type { AgentSide } from '@drawbridge/bridge';
import { checkSchema, type SchemaResult } from '@drawbridge/manifest';
import type { Implementation } from '@modelcontextprotocol/server';
import type { Answer, AnswerOptions } from './answer/answer.ts';
import { keyedNonce, type Nonce } from './answer/fence.ts';
import { createLooks, type Looks } from './answer/looks.ts';
import { createOutputStore, type OutputStoreLimits } from './answer/output-store.ts';
import { tabLines } from './answer/tab-lines.ts';
import type { Approvals } from './approval/approvals.ts';
import type { CallRun } from './call/call-run.ts';
import { createParkedRuns, type ParkedRuns } from './call/parked-runs.ts';
import { createTraceLog, type TraceLog } from './call/trace-log.ts';
import { mapToolsMark } from './map-tools.ts';
import { createPageEvents, type PageEvents } from './page-events.ts';

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

/**
 * State of one agent: stored outputs, its last looks, page events, calls that wait for a person. Outlives requests, which
 * over HTTP each have a server. Never shared between agents.
 */
export interface McpConnection {
  readonly bridge: AgentSide;
  readonly ready: () => Promise<unknown>;
  readonly approvals: Approvals | undefined;
  readonly asksElsewhere: boolean;
  readonly offersMapTools: (client: Implementation | undefined) => boolean;
  readonly answering: AnswerOptions & { readonly nonce: Nonce };
  readonly looks: Looks;
  readonly checkArguments: CheckArguments;
  readonly traces: TraceLog;
  readonly events: PageEvents;
  readonly parked: ParkedRuns<CallRun<Answer>>;
  readonly now: () => number;
  /** Notifies of changed lists. */
  readonly watch: (listener: (change: ConnectionChange) => void) => () => void;
  readonly close: () => void;
}

const MAX_TOKENS = 5000;

/** Clients that reload the tools after a list change (https://canimcp.dev). */
const LIST_CHANGERS = /^(claude-code|opencode|visual studio code)/i;

export const handlesListChanges = (client: Implementation | undefined): boolean =>
  client !== undefined && LIST_CHANGERS.test(client.name);

export function createMcpConnection(options: McpOptions): McpConnection {
  const { bridge, approvals, offersMapTools = () => false, maxTokens = MAX_TOKENS, now = Date.now } = options;
  const events = createPageEvents();
  const parked = createParkedRuns<CallRun<Answer>>();
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
    ready: options.ready ?? (async () => {}),
    approvals,
    asksElsewhere: options.asksElsewhere ?? false,
    offersMapTools,
    checkArguments: options.checkArguments ?? checkSchema,
    answering: {
      outputs: createOutputStore(options.outputLimits),
      maxTokens,
      nonce: options.nonce ?? keyedNonce(),
    },
    looks: createLooks(),
    traces: createTraceLog(),
    events,
    parked,
    now,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      unwatch();
      listeners.clear();
      parked.close();
    },
  };
}
