export { fileOutbox } from './file-outbox.ts';
export { type Door, ItemServer, type ItemServerOptions, serveItems } from './item-server.ts';
export { createPollingDoor, type PollingDoor, type PollingDoorOptions } from './polling-door.ts';
export { bearerOf, isOurHost } from './request-guard.ts';
export { acceptWebSocket, pickSubprotocol, type WebSocketDoorOptions } from './websocket-door.ts';
