export * from '@drawbridge/bridge';
/** For the option `clock` of `createBridge`. */
export { systemClock } from '@drawbridge/link';
