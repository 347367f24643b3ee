export { COMMANDS } from './commands.ts';
export { createLocalBus } from './local-bus.ts';
export type { PeerKind } from './peer.ts';
export * from './ports.ts';
export { createRelayCore } from './relay-core.ts';
