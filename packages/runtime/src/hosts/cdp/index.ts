export type { CdpBrowser, KnownTab, SurfaceChange } from './browser.ts';
export { browserBinary, isCarried } from './browser-binary.ts';
export { type AttachOptions, attachBrowser, type LaunchOptions, launchBrowser } from './launch.ts';
