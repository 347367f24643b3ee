import { createMcpDoor, type McpOptions } from './door.ts';
import { createHttpServing, type HttpServingOptions } from './http/http-serving.ts';
import { createMcpServer } from './mcp-server.ts';
import { RUNTIMES_URI } from './resources.ts';

export interface McpHandler {
  /** Who may call is decided before: a credential, the Host and the Origin are the caller's to check. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** The door over streamable HTTP, as a function from Request to Response. */
export function createMcpHandler(options: McpOptions, serving: HttpServingOptions = {}): McpHandler {
  const door = createMcpDoor(options);
  const http = createHttpServing(
    (life) => createMcpServer(door, { tellsChanges: life === 'session' }),
    serving,
  );
  door.watch((change) => {
    if (change === 'tools') http.notify.toolsChanged();
    else http.notify.resourceUpdated(RUNTIMES_URI);
  });
  return {
    fetch: http.fetch,
    async close() {
      door.close();
      await http.close();
    },
  };
}
