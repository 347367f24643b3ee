import {
  type ServeStdioOptions,
  StdioServerTransport,
  serveStdio as serveSdk,
} from '@modelcontextprotocol/server/stdio';
import { createMcpConnection, type McpOptions } from './mcp-connection.ts';
import { createMcpServer } from './mcp-server.ts';

export interface StdioServing {
  /** Resolves when the client is gone, or after `close`. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves one client on stdin and stdout of this process, or on a custom transport. */
export function serveStdio(
  options: McpOptions,
  serving: Pick<ServeStdioOptions, 'transport' | 'onerror'> = {},
): StdioServing {
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
    closed,
    async close() {
      await handle.close();
      await closed;
    },
  };
}
