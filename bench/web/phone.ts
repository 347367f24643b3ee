import type { LaunchedChromium } from '@drawbridge/testbed';

export type Page = Awaited<ReturnType<LaunchedChromium['context']['newPage']>>;
export type Devtools = Awaited<ReturnType<LaunchedChromium['context']['newCDPSession']>>;

/**
 * Lighthouse's emulation of a mid-range phone:
 * https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
const SLOW_4G = { latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 };
const CPU_SLOWDOWN = 4;
const VIEWPORT = { width: 360, height: 740 };

export interface PhoneTab {
  readonly page: Page;
  readonly devtools: Devtools;
  /** Compressed bytes received since the tab was opened. */
  readonly bytes: () => number;
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

/** A tab of a phone's size, throttled to a phone's speed if `isSlow`. */
export async function openPhone({ context }: LaunchedChromium, isSlow: boolean): Promise<PhoneTab> {
  const page = await context.newPage();
  await page.setViewportSize(VIEWPORT);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: isSlow });
  if (isSlow) {
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  }
  let bytes = 0;
  let requests = 0;
  devtools.on('Network.requestWillBeSent', () => {
    requests += 1;
  });
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return { page, devtools, bytes: () => bytes, requests: () => requests, close: () => page.close() };
}

/** Heap of the page after a garbage collection, in bytes. */
export async function heldBytes(devtools: Devtools): Promise<number> {
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize;
}
