import type { SchemaChecks } from '@drawbridge/manifest/node';
import { createMcpHandler, type McpHandler, type McpOptions } from '@drawbridge/mcp';
import type { Identity } from '../../core/ports.ts';
import { isPerson } from '../guard/permission.ts';

/** `/mcp`: one door a device, as what one agent was shown is not for another's eyes. */
export interface McpPort {
  readonly fetch: (request: Request, identity: Identity) => Promise<Response>;
  readonly dismiss: (device_id: string) => void;
  readonly close: () => Promise<void>;
}

export function createMcpPort(
  options: McpOptions,
  schemas: Pick<SchemaChecks, 'check'>,
  onFault: (error: unknown) => void,
): McpPort {
  const handlers = new Map<string, McpHandler>();
  const { approvals: _, ...withoutForms } = options;

  const handlerOf = (identity: Identity): McpHandler => {
    const { device_id } = identity;
    const known = handlers.get(device_id);
    if (known !== undefined) return known;
    // An agent would fill in the form about its own call (BRG-167): people are asked by a prompt instead.
    const handler = createMcpHandler(
      {
        ...(isPerson(identity) ? options : withoutForms),
        checkArguments: (schema, args) => schemas.check(schema, args, device_id),
      },
      { onerror: onFault },
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
    dismiss: (device_id) => void end(device_id).catch(onFault),
    async close() {
      await Promise.all([...handlers.keys()].map(end));
    },
  };
}
