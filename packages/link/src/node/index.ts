export { type Door, ItemServer, type ItemServerOptions, serveItems } from './item-server.ts';
export { createPollingDoor, type PollingDoor, type PollingDoorOptions } from './polling-door.ts';
export { acceptWebSocket, pickSubprotocol, type WebSocketDoorOptions } from './websocket-door.ts';
