export { fileOutbox } from './file-outbox.ts';
export { type Endpoint, ItemServer, type ItemServerOptions, serveItems } from './item-server.ts';
export { createPollingServer, type PollingServer, type PollingServerOptions } from './polling-server.ts';
export { bearerOf, isOurHost } from './request-guard.ts';
export { acceptWebSocket, pickSubprotocol, type WebSocketServerOptions } from './websocket-server.ts';
