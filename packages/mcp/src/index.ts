export { type Approvals, type ApprovalsOptions, createApprovals } from './approval/approvals.ts';
export {
  type CreateServer,
  createHttpServing,
  type HttpServing,
  type HttpServingOptions,
} from './http/http-serving.ts';
export { createMcpHandler, type McpHandler } from './http.ts';
export {
  createMcpConnection,
  handlesListChanges,
  type McpConnection,
  type McpOptions,
} from './mcp-connection.ts';
export { createMcpServer, INSTRUCTIONS, type McpServerOptions } from './mcp-server.ts';
export { TOOLS } from './tools/table.ts';
export type { Tool } from './tools/tool.ts';
