export { DEFAULT_PORT, type Relay, type RelayOptions, startRelay as createRelay } from '@drawbridge/relay';
/** The web app, for the option `web` of `createRelay`. */
export { webApp } from '@drawbridge/web';
