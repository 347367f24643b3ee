import { createApprovals, createMcpHandler } from '@drawbridge/mcp';
import { inOurNames } from './fixture-names.ts';
import { lendTab, startBridge } from './fixture-tab.ts';
import { type HttpServer, serveHttp } from './http-server.ts';

/** Our MCP server over HTTP, with the suite's fixtures mapped to our own calls. Answers are unchanged. */
export async function startMcpHandler(): Promise<HttpServer> {
  const bridge = startBridge();
  const approvals = createApprovals();
  lendTab(bridge, approvals.asker);
  const { fetch, close } = createMcpHandler({ bridge, approvals });
  const server = await serveHttp(async (request) => fetch(await inOurNames(request)));
  return {
    url: `${server.url}/mcp`,
    async close() {
      await close();
      await server.close();
      bridge.close();
    },
  };
}
