import { createMutex } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import type { Picture, PictureOptions } from '@drawbridge/runtime';

/** MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND is 2, for the whole extension. */
const APART_MS = 550;
const MOST_TRIES = 3;

export type Camera = ReturnType<typeof createCamera>;

/** One for all tabs: they share the quota, and captures must not overlap. */
export function createCamera(now: () => number, sleep: (ms: number) => Promise<void>) {
  const inTurn = createMutex();
  let lastAt = 0;

  const shoot = async (windowId: number): Promise<string> => {
    for (let left = MOST_TRIES; ; left--) {
      const wait = lastAt + APART_MS - now();
      if (wait > 0) await sleep(wait);
      lastAt = now();
      try {
        return await chrome.tabs.captureVisibleTab(windowId, { format: 'png' });
      } catch (error) {
        // A restarted worker does not know the time of the last capture.
        if (left > 1 && /MAX_CAPTURE/.test(String(error))) continue;
        throw refusedBy(error);
      }
    }
  };

  const take = async (tabId: number, options: PictureOptions): Promise<Picture> => {
    const windowId = await requireInFront(tabId);
    const image = await shoot(windowId);
    await requireInFront(tabId);
    return resized(image, options);
  };

  return {
    /** Captures the window's active tab; refused if that is another tab before or after (INT-273). */
    capture: (tabId: number, options: PictureOptions): Promise<Picture> => inTurn(() => take(tabId, options)),
  };
}

async function requireInFront(tabId: number): Promise<number> {
  const { active, windowId } = await chrome.tabs.get(tabId);
  if (active) return windowId;
  const message =
    'Another tab is in front, and Chrome takes pictures only of what is seen. Use page.snapshot, or browser.claimed_tabs.activate first.';
  throw new BridgeError('state_mismatch', message, { evidence: { reason: 'not_in_front' } });
}

/** Keeps proportions and never enlarges. */
async function resized(dataUrl: string, options: PictureOptions): Promise<Picture> {
  const { format, quality = 80, maxWidth = Infinity, maxHeight = Infinity } = options;
  const bitmap = await createImageBitmap(await (await fetch(dataUrl)).blob());
  const scale = Math.min(1, maxWidth / bitmap.width, maxHeight / bitmap.height);
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new BridgeError('handler_failed', 'No canvas can be had. Try again.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const mime_type = `image/${format}` as const;
  const blob = await canvas.convertToBlob({ type: mime_type, quality: quality / 100 });
  return { image: base64Of(new Uint8Array(await blob.arrayBuffer())), mime_type, width, height };
}

const CHUNK = 32_768;

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

function refusedBy(error: unknown): BridgeError {
  const said = error instanceof Error ? error.message : String(error);
  if (/activeTab|all_urls|permission/i.test(said)) {
    const message =
      'Chrome allows no picture of this page. Ask the person to press the extension’s button there, or use page.snapshot.';
    return new BridgeError('capability_unavailable', message, {
      evidence: { capability: 'browser.screenshot', host: 'extension', reason: 'not_permitted' },
    });
  }
  return new BridgeError('handler_failed', `Chrome took no picture: ${said.slice(0, 200)}. Try again.`, {
    evidence: { reason: 'capture_failed' },
  });
}
