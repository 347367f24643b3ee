import {
  type ServeStdioOptions,
  StdioServerTransport,
  serveStdio as serveSdk,
} from '@modelcontextprotocol/server/stdio';
import { createMcpConnection, type McpOptions } from './mcp-connection.ts';
import { createMcpServer } from './mcp-server.ts';

export type StdioServing = ReturnType<typeof serveStdio>;

/** Serves one client on stdin and stdout of this process, or on a custom transport. */
export function serveStdio(
  options: McpOptions,
  serving: Pick<ServeStdioOptions, 'transport' | 'onerror'> = {},
) {
  const connection = createMcpConnection(options);
  const transport = serving.transport ?? new StdioServerTransport();
  const handle = serveSdk(() => createMcpServer(connection), { ...serving, transport });
  const { onclose } = transport;
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      connection.close();
      resolve();
    };
  });
  return {
    /** Resolves when the client is gone, or after `close`. */
    closed,
    async close(): Promise<void> {
      await handle.close();
      await closed;
    },
  };
}
