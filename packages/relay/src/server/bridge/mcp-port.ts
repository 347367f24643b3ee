import { createMcpHandler, type McpHandler, type McpOptions } from '@drawbridge/mcp';

/** `/mcp`: one door a device, as what one agent was shown is not for another's eyes. */
export interface McpPort {
  readonly fetch: (request: Request, device_id: string) => Promise<Response>;
  readonly dismiss: (device_id: string) => void;
  readonly close: () => Promise<void>;
}

export function createMcpPort(options: McpOptions, onFault: (error: unknown) => void): McpPort {
  const handlers = new Map<string, McpHandler>();

  const handlerOf = (device_id: string): McpHandler => {
    const known = handlers.get(device_id);
    if (known !== undefined) return known;
    const handler = createMcpHandler(options, { onerror: onFault });
    handlers.set(device_id, handler);
    return handler;
  };

  const end = async (device_id: string): Promise<void> => {
    const handler = handlers.get(device_id);
    handlers.delete(device_id);
    await handler?.close();
  };

  return {
    fetch: (request, device_id) => handlerOf(device_id).fetch(request),
    dismiss: (device_id) => void end(device_id).catch(onFault),
    async close() {
      await Promise.all([...handlers.keys()].map(end));
    },
  };
}
