import type { LaunchedChromium } from '@drawbridge/testbed';
import { type FrameTimes, framesDuring } from './frame-times.ts';
import { heldBytes, openPhone, type Page } from './phone.ts';

/** A web client with a very long conversation, ours or a peer's. */
export interface Subject {
  readonly name: string;
  /** Address of the conversation. */
  readonly url: string;
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Resolves when the newest message is visible and the input is enabled. */
  readonly isUsable: (page: Page) => Promise<void>;
}

export interface Opening {
  readonly name: string;
  readonly bytes: number;
  readonly requests: number;
  readonly usableMs: number;
  readonly readBack: FrameTimes;
  /** Heap after that. */
  readonly heldBytes: number;
  readonly nodes: number;
}

/** Opens it cold on a slow phone to count bytes, then on a fast one, and scrolls back for a while. */
export async function measureOpening(
  chromium: LaunchedChromium,
  { name, url, prepare, isUsable }: Subject,
  seconds: number,
): Promise<Opening> {
  const slow = await openPhone(chromium, true);
  await prepare?.(slow.page);
  const began = performance.now();
  await slow.page.goto(url, { waitUntil: 'commit' });
  await isUsable(slow.page);
  const usableMs = performance.now() - began;
  const loaded = { bytes: slow.bytes(), requests: slow.requests(), usableMs };
  await slow.close();

  const fast = await openPhone(chromium, false);
  await prepare?.(fast.page);
  await fast.page.goto(url);
  await isUsable(fast.page);
  const readBack = await framesDuring(fast.page, () => wheel(fast.page, -500, seconds));
  const held = await heldBytes(fast.devtools);
  const { nodes } = await fast.devtools.send('Memory.getDOMCounters');
  await fast.close();
  return { name, ...loaded, readBack, heldBytes: held, nodes };
}

/** Scrolls like a finger that flicks without pause. */
export async function wheel(page: Page, by: number, seconds: number): Promise<void> {
  await page.mouse.move(180, 360);
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    await page.mouse.wheel(0, by);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}
