export { type NodeOptions, type RelayNode, startNode } from '../cluster/start-node.ts';
export type { RelayDemo } from './demo/demo-route.ts';
export { LOW_DISK_BYTES } from './health.ts';
export { OWN_NAME } from './listener.ts';
export { LOG_EVENTS } from './log.ts';
export { RELAY_LIMITS, type RelayLimits, type RelayOptions, type TlsOptions } from './options.ts';
export { DEFAULT_PORT, type Relay, startRelay } from './start-relay.ts';
