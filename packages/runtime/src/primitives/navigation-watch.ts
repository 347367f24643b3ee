import type { Clock } from '@drawbridge/base';
import { delay } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import { isControlPlaneError } from '../address/control-plane.ts';
import type { SavedFile, Surface, SurfaceHost } from '../host.ts';

/** Navigation watch: follows the document while a primitive runs. */
export type NavigationWatch = ReturnType<typeof watchNavigation>;

/** A slow server may take long to answer; a download or an empty answer never replaces the document. */
const LONGEST_ARRIVAL_MS = 10_000;

export function watchNavigation(host: SurfaceHost, clock: Clock, signal: AbortSignal) {
  let left = false;
  let download = false;
  let opening = false;
  let refusal: BridgeError | undefined;
  let running = 0;
  const saved: SavedFile[] = [];
  let arrived: Surface | undefined;
  let forbidden: Error | undefined;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };
  /** A host replays `ready` for the current document to a new listener. */
  let begun = false;
  const unhook = host.onEvent((event) => {
    if (!begun) return;
    if (event.kind === 'left') left = true;
    else if (event.kind === 'opening') {
      opening = true;
      wake();
    } else if (event.kind === 'ready') {
      left = true;
      arrived = { url: event.url, title: event.title, active: event.active };
      wake();
    } else if (event.kind === 'download') {
      download = true;
      running += event.state === 'started' ? 1 : -1;
      if (event.saved !== undefined) saved.push(event.saved);
      if (event.refusal !== undefined) {
        const { message, limit, retry_after } = event.refusal;
        refusal = new BridgeError('permission_denied', message, { evidence: { limit, retry_after } });
      }
      wake();
    } else if (event.kind === 'closed') {
      if (isControlPlaneError(event.error)) forbidden = event.error;
      wake();
    }
  });
  begun = true;
  const woken = async (maxMs: number): Promise<void> => {
    const wakening = new AbortController();
    const wakeUp = () => wakening.abort();
    waiting.add(wakeUp);
    await delay(clock, maxMs, AbortSignal.any([signal, wakening.signal]));
    waiting.delete(wakeUp);
  };
  return {
    from: host.surface().url,
    /** The document in which the primitive began is gone. */
    hasLeft: (): boolean => left,
    /** The apparent navigation was a download: the document stays. */
    isDownload: (): boolean => download && !left,
    /** The page opened a tab or window, or does within this time. */
    async opensTab(maxMs: number): Promise<boolean> {
      if (!opening && maxMs > 0) await woken(maxMs);
      return opening;
    },
    /** The reason that a download was stopped. */
    refusal: (): BridgeError | undefined => refusal,
    /** The files of completed downloads, once none runs or the time is over. */
    async saved(maxMs: number): Promise<readonly SavedFile[]> {
      const endsAt = clock.now() + maxMs;
      while ((!download || running > 0) && !signal.aborted && clock.now() < endsAt)
        await woken(endsAt - clock.now());
      return saved;
    },
    /** Waits for the next document; undefined when none comes. Fails when it is a page of the relay. */
    async arrival(maxMs: number = LONGEST_ARRIVAL_MS): Promise<Surface | undefined> {
      if (forbidden !== undefined) throw forbidden;
      if (arrived !== undefined || (download && !left)) return arrived;
      await woken(maxMs);
      if (forbidden !== undefined) throw forbidden;
      return arrived;
    },
    close(): void {
      unhook();
      wake();
    },
  };
}
