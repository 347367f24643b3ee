import { randomUUID } from 'node:crypto';
import type { AgentSide, PendingCall } from '@drawbridge/bridge';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import { createMcpHandler, type McpHandler, type McpOptions } from '@drawbridge/mcp';
import { BridgeError } from '@drawbridge/protocol';
import type { Identity } from '../../core/ports.ts';
import type { BrowserThreads } from '../../threads/browser-threads.ts';
import { isPerson } from '../guard/permission.ts';
import type { RelayLimits } from '../options.ts';
import {
  type CallError,
  type CallQuota,
  cancelledBeforeStart,
  type OwnAnswer,
} from '../quotas/call-quota.ts';

/** `/mcp`: one MCP server per device, so that no agent sees another's results. */
export type McpPort = ReturnType<typeof createMcpPort>;

export interface McpPortParts {
  readonly schemas: Pick<SchemaChecks, 'check'>;
  readonly calls: CallQuota;
  readonly threads: Pick<BrowserThreads, 'maySee' | 'meet' | 'messagesFor'>;
  readonly limits: RelayLimits;
  readonly onError: (error: unknown) => void;
}

export function createMcpPort(options: McpOptions, parts: McpPortParts) {
  const { schemas, limits, onError } = parts;
  const handlers = new Map<string, McpHandler>();
  const { approvals: _, ...withoutForms } = options;

  const handlerOf = (identity: Identity): McpHandler => {
    const { device_id } = identity;
    parts.threads.meet(identity);
    const known = handlers.get(device_id);
    if (known !== undefined) return known;
    // An agent would fill in the form about its own call (BRG-167): people get a prompt instead.
    const handler = createMcpHandler(
      {
        ...(isPerson(identity) ? options : withoutForms),
        bridge: sideOf(options.bridge, device_id, parts),
        checkArguments: (schema, args) => schemas.check(schema, args, device_id),
      },
      { onerror: onError, maxSessions: limits.mcp_sessions, maxReplayBytes: limits.mcp_replay_bytes },
    );
    handlers.set(device_id, handler);
    return handler;
  };

  const end = async (device_id: string): Promise<void> => {
    const handler = handlers.get(device_id);
    handlers.delete(device_id);
    await handler?.close();
  };

  return {
    fetch: (request: Request, identity: Identity): Promise<Response> => handlerOf(identity).fetch(request),
    dismiss: (device_id: string): void => void end(device_id).catch(onError),
    async close(): Promise<void> {
      await Promise.all([...handlers.keys()].map(end));
    },
  };
}

type SideParts = Pick<McpPortParts, 'calls' | 'threads'>;

/** At the relay's end such an answer may not arrive: messages wait for the next one. */
const LOST = 'transport_failed';

const failureOf = (error: unknown): CallError =>
  error instanceof BridgeError ? error : { code: 'internal', message: String(error) };

/** The bridge as one device sees it: its own tabs, and calls that count against its own quota. */
const sideOf = (bridge: AgentSide, device_id: string, { calls, threads }: SideParts): AgentSide => {
  /** By client: what people wrote, until its next answer. */
  const messages = new Map<string | undefined, readonly string[]>();
  const collect = (client: string | undefined, call_id: string): void => {
    const more = threads.messagesFor(call_id);
    if (more.length > 0) messages.set(client, [...(messages.get(client) ?? []), ...more]);
  };
  return {
    ...bridge,
    takeMessages(client) {
      const taken = messages.get(client) ?? [];
      messages.delete(client);
      return taken;
    },
    runtimes: () =>
      bridge.runtimes().filter(({ ready, status }) => threads.maySee(device_id, status?.url ?? ready.url)),
    call(request, more) {
      const call_id = request.call_id ?? `call_${randomUUID()}`;
      const problem = calls.problem(device_id, { ...request, call_id });
      if (problem !== undefined) {
        const output = Promise.reject(problem);
        output.catch(() => {});
        return { call_id, output, cancel: () => {} };
      }
      const call = afterwards(call_id, calls.ready(device_id, { ...request, call_id }), () =>
        bridge.call({ ...request, call_id }, { ...more, owner: device_id }),
      );
      call.output.then(
        (output) => {
          collect(request.client, call_id);
          calls.answered(device_id, call_id, output);
        },
        (error: unknown) => {
          const failure = failureOf(error);
          if (failure.code !== LOST) collect(request.client, call_id);
          calls.answered(device_id, call_id, undefined, failure);
        },
      );
      return call;
    },
  };
};

/** A call that begins when its preparations are done. */
function afterwards(
  call_id: string,
  ready: Promise<OwnAnswer | undefined> | undefined,
  begin: () => PendingCall,
): PendingCall {
  if (ready === undefined) return begin();
  let call: PendingCall | undefined;
  let cancelled: BridgeError | undefined;
  const output = ready.then((own) => {
    if (cancelled !== undefined) throw cancelled;
    if (own !== undefined) return own.output;
    call = begin();
    return call.output;
  });
  output.catch(() => {});
  return {
    call_id,
    output,
    cancel(reason) {
      cancelled = cancelledBeforeStart();
      call?.cancel(reason);
    },
  };
}
