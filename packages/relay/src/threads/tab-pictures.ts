import type { Bridge, RuntimeView } from '@drawbridge/bridge';
import { onAbort } from '@drawbridge/protocol';
import { mayLook } from '../approvals/may-look.ts';
import type { CoreClock } from '../core/ports.ts';
import { parsePicture } from '../server/runtimes/live-view.ts';
import type { KeepPicture } from '../tasks/step-pictures.ts';
import type { BrowserThreadOptions } from './browser-thread.ts';

export interface TabPicturesOptions {
  /** Read when the first picture is taken: the bridge is created later. */
  readonly bridge: () => Pick<Bridge, 'call'>;
  readonly clock: CoreClock;
  readonly keep: KeepPicture;
}

/** As the live view: the runtime covers secrets. */
const SMALL = { format: 'jpeg', quality: 50, max_width: 480, max_height: 480, max_kilobytes: 60 } as const;
const TIMEOUT_MS = 5_000;

/** Small pictures of tabs for steps (CHT-368). */
export function createTabPictures({ bridge, clock, keep }: TabPicturesOptions) {
  const take: NonNullable<BrowserThreadOptions['picture']> = async (tab, owner, cancelled) => {
    const { capabilities } = tab.ready;
    if (!mayLook(tab) || capabilities?.includes('browser.screenshot') === false) return undefined;
    const image = await pictureOf(tab, cancelled);
    return image === undefined || cancelled.aborted ? undefined : keep(owner, image);
  };

  const pictureOf = async ({ runtime_id }: RuntimeView, cancelled: AbortSignal) => {
    const call = bridge().call({ name: 'browser.screenshot', arguments: { ...SMALL }, runtime_id });
    const late = clock.after(TIMEOUT_MS, () => call.cancel('No picture came in time.'));
    const release = onAbort(cancelled, () => call.cancel('The page may have changed.'));
    try {
      return parsePicture(await call.output);
    } catch {
      // The step is complete without a picture: a tab may have none, or be gone.
      return undefined;
    } finally {
      late();
      release();
    }
  };
  return take;
}
