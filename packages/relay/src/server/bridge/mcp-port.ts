import { randomUUID } from 'node:crypto';
import type { AgentSide } from '@drawbridge/bridge';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import { createMcpHandler, type McpHandler, type McpOptions } from '@drawbridge/mcp';
import { BridgeError } from '@drawbridge/protocol';
import type { Identity } from '../../core/ports.ts';
import { isPerson } from '../guard/permission.ts';
import type { RelayLimits } from '../options.ts';
import type { CallError, CallQuota } from '../quotas/call-quota.ts';

/** `/mcp`: one MCP server per device, so that no agent sees another's results. */
export interface McpPort {
  readonly fetch: (request: Request, identity: Identity) => Promise<Response>;
  readonly dismiss: (device_id: string) => void;
  readonly close: () => Promise<void>;
}

export interface McpPortParts {
  readonly schemas: Pick<SchemaChecks, 'check'>;
  readonly calls: CallQuota;
  readonly limits: RelayLimits;
  readonly onError: (error: unknown) => void;
}

export function createMcpPort(
  options: McpOptions,
  { schemas, calls, limits, onError }: McpPortParts,
): McpPort {
  const handlers = new Map<string, McpHandler>();
  const { approvals: _, ...withoutForms } = options;

  const handlerOf = (identity: Identity): McpHandler => {
    const { device_id } = identity;
    const known = handlers.get(device_id);
    if (known !== undefined) return known;
    // An agent would fill in the form about its own call (BRG-167): people get a prompt instead.
    const handler = createMcpHandler(
      {
        ...(isPerson(identity) ? options : withoutForms),
        bridge: callsOf(options.bridge, device_id, calls),
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
    fetch: (request, identity) => handlerOf(identity).fetch(request),
    dismiss: (device_id) => void end(device_id).catch(onError),
    async close() {
      await Promise.all([...handlers.keys()].map(end));
    },
  };
}

const failureOf = (error: unknown): CallError =>
  error instanceof BridgeError ? error : { code: 'internal', message: String(error) };

/** The bridge as one device sees it: its calls count against its own quota. */
const callsOf = (bridge: AgentSide, device_id: string, calls: CallQuota): AgentSide => ({
  ...bridge,
  call(request, more) {
    const call_id = request.call_id ?? `call_${randomUUID()}`;
    const { name, arguments: args = {}, runtime_id } = request;
    const problem = calls.problem(device_id, { name, call_id, arguments: args, runtime_id });
    if (problem !== undefined) {
      const output = Promise.reject(problem);
      output.catch(() => {});
      return { call_id, output, cancel: () => {} };
    }
    const call = bridge.call({ ...request, call_id }, { ...more, owner: device_id });
    call.output.then(
      (output) => calls.answered(device_id, call_id, output),
      (error: unknown) => calls.answered(device_id, call_id, undefined, failureOf(error)),
    );
    return call;
  },
});
