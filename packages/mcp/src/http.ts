import { createMcpDoor, type McpOptions } from './door.ts';
import { createHttpServing, type HttpServingOptions } from './http/http-serving.ts';
import { createMcpServer } from './mcp-server.ts';
import { RUNTIMES_URI } from './resources.ts';

export interface McpHandler {
  /** Authorization comes first: the caller checks the credential, Host and Origin. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** The server over streamable HTTP, as a function from Request to Response. */
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
