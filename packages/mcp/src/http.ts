import { createHttpServing, type HttpServingOptions } from './http/http-serving.ts';
import { createMcpConnection, type McpOptions } from './mcp-connection.ts';
import { createMcpServer } from './mcp-server.ts';
import { RUNTIMES_URI } from './resources.ts';

export interface McpHandler {
  /** Authorization comes first: the caller checks the credential, Host and Origin. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** The server over streamable HTTP, as a function from Request to Response. */
export function createMcpHandler(options: McpOptions, serving: HttpServingOptions = {}): McpHandler {
  const connection = createMcpConnection(options);
  const http = createHttpServing(
    (life) => createMcpServer(connection, { reportsChanges: life === 'session' }),
    serving,
  );
  connection.watch((change) => {
    if (change === 'tools') http.notify.toolsChanged();
    else http.notify.resourceUpdated(RUNTIMES_URI);
  });
  return {
    fetch: http.fetch,
    async close() {
      connection.close();
      await http.close();
    },
  };
}
