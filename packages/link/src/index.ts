export { type Backoff, type BackoffOptions, type Clock, createBackoff } from '@drawbridge/base';
export { type BrowserKeys, type NewKey, openBrowserKeys } from './browser-key.ts';
export { systemClock } from './clock.ts';
export {
  ConnectionHub,
  type HubConnection,
  type HubOptions,
  type Peer,
} from './connection-hub.ts';
export { directPair } from './direct-pair.ts';
export type { ClientOptions } from './frame-client.ts';
export type { CloseReason, ItemLink, LinkProblem, LinkState } from './link.ts';
export type { OutboxLimits } from './outbox.ts';
export { connectPolling } from './polling-client.ts';
export type { PollingOptions } from './polling-requests.ts';
export {
  acceptPort,
  connectPort,
  fromMessagePort,
  fromRuntimePort,
  type ItemPort,
  type MessagePortLike,
  type PortOptions,
  type RuntimePortLike,
} from './port.ts';
export { PROOF_PREFIX, type SocketLike, SUBPROTOCOL } from './socket-like.ts';
export { connectWebSocket, RESUME_SUBPROTOCOL, type WebSocketOptions } from './websocket-client.ts';
