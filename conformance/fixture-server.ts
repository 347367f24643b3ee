import { createApprovals, createMcpDoor, createMcpHandler, createMcpServer } from '@drawbridge/mcp';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { inOurNames } from './fixture-names.ts';
import { lendTab, startBridge } from './fixture-tab.ts';
import { type HttpServer, serveHttp } from './http-server.ts';

/** `handler` is what ships: no session. `session` is the same server on the SDK's transport with sessions. */
export type Serving = 'handler' | 'session';

/** Our door over HTTP, with the suite's fixtures turned into calls of our own. Answers go out as they are. */
export async function startFixture(serving: Serving): Promise<HttpServer> {
  const bridge = startBridge();
  const approvals = createApprovals();
  lendTab(bridge, approvals.asker);
  const { fetch, close } =
    serving === 'handler' ? createMcpHandler({ bridge, approvals }) : withSessions({ bridge, approvals });
  const server = await serveHttp(async (request) => fetch(await inOurNames(request)));
  return {
    url: `${server.url}/mcp`,
    async close() {
      await server.close();
      await close();
      bridge.close();
    },
  };
}

function withSessions(options: Parameters<typeof createMcpDoor>[0]) {
  const door = createMcpDoor(options);
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return {
    async fetch(request: Request): Promise<Response> {
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
      if (known !== undefined) return known.handleRequest(request);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => {
          sessions.set(id, transport);
        },
      });
      await createMcpServer(door).connect(transport);
      return transport.handleRequest(request);
    },
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      door.close();
    },
  };
}
