import {
  type CreateMcpHandlerOptions,
  createMcpHandler as createSdkHandler,
} from '@modelcontextprotocol/server';
import { createMcpDoor, type McpOptions } from './door.ts';
import { createMcpServer } from './mcp-server.ts';
import { RUNTIMES_URI } from './resources.ts';

export interface McpHandler {
  /** Who may call is decided before: a credential, the Host and the Origin are the caller's to check. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Streamable HTTP as a function from Request to Response. Each request has a server of its own. */
export function createMcpHandler(
  options: McpOptions,
  serving: Pick<CreateMcpHandlerOptions, 'onerror' | 'maxRequestBodySize'> = {},
): McpHandler {
  const door = createMcpDoor(options);
  const handler = createSdkHandler(() => createMcpServer(door, { tellsChanges: false }), serving);
  door.watch((change) => {
    if (change === 'tools') handler.notify.toolsChanged();
    else handler.notify.resourceUpdated(RUNTIMES_URI);
  });
  return {
    fetch: (request) => handler.fetch(request),
    async close() {
      door.close();
      await handler.close();
    },
  };
}
