import { createHash } from 'node:crypto';
import type { Bridge, PendingCall, RuntimeView } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { CoreClock } from '../../core/ports.ts';

export interface LiveViewsOptions {
  readonly bridge: Pick<Bridge, 'call' | 'runtimes' | 'watch'>;
  readonly clock: CoreClock;
}

/** A picture of the tab with secrets covered, as the runtime makes it. */
export interface LiveFrame {
  /** Base64. */
  readonly image: string;
  readonly mime_type: 'image/jpeg' | 'image/png';
  readonly width: number;
  readonly height: number;
  readonly url: string;
  readonly title?: string;
  readonly at: number;
}

export interface ViewProblem {
  readonly code: string;
  readonly message: string;
}

export interface ViewEnd extends ViewProblem {
  readonly reason: 'denied' | 'unsupported' | 'gone' | 'failed' | 'stopping';
}

export type Seen =
  | { readonly kind: 'frame'; readonly data: LiveFrame }
  /** This picture could not be taken; the next one may. */
  | { readonly kind: 'trouble'; readonly data: ViewProblem }
  | { readonly kind: 'end'; readonly data: ViewEnd };

/** Live views of lent tabs. Pictures are taken only while somebody watches. */
export type LiveViews = ReturnType<typeof createLiveViews>;

interface View {
  readonly runtime_id: string;
  readonly runtime_key: string | undefined;
  readonly watchers: Set<() => void>;
  /** Counts pictures: a slow watcher gets the latest and skips those before. */
  version: number;
  latest: Seen | undefined;
  call: PendingCall | undefined;
  /** Ends the wait for the next picture. */
  skip: () => void;
}

const PICTURE = {
  format: 'jpeg',
  quality: 50,
  max_width: 640,
  max_height: 1_280,
  max_kilobytes: 200,
} as const;
/** In base64, with an allowance for a runtime that counts differently. */
const MAX_CHARS = 400_000;
/** Twice a second while the page changes, and ever less often while it does not. */
const SOONEST_MS = 500;
const LATEST_MS = 2_000;
const MOST_FAILURES = 5;
const ALIVE_MS = 10_000;

export function createLiveViews({ bridge, clock }: LiveViewsOptions) {
  const views = new Map<string, View>();
  let isClosed = false;

  /** A tab that shows another page may have come back with another id. */
  const tabOf = ({ runtime_id, runtime_key }: View): RuntimeView | undefined => {
    const there = bridge.runtimes();
    return (
      there.find((tab) => tab.runtime_id === runtime_id) ??
      there.find(({ ready }) => runtime_key !== undefined && ready.runtime_key === runtime_key)
    );
  };

  const show = (view: View, seen: Seen): void => {
    view.latest = seen;
    view.version += 1;
    for (const wake of view.watchers) wake();
  };

  const end = (view: View, reason: ViewEnd['reason'], { code, message }: ViewProblem): void => {
    if (views.get(view.runtime_id) === view) views.delete(view.runtime_id);
    show(view, { kind: 'end', data: { reason, code, message } });
  };

  const picture = async (view: View): Promise<LiveFrame> => {
    const tab = tabOf(view);
    if (tab === undefined) throw new BridgeError('runtime_not_found', GONE.message);
    const { runtime_id } = tab;
    view.call = bridge.call({ name: 'browser.screenshot', arguments: { ...PICTURE }, runtime_id });
    const output = await view.call.output;
    const { ready, status } = tabOf(view) ?? tab;
    const place = { url: status?.url ?? ready.url, ...(ready.title !== undefined && { title: ready.title }) };
    const { scale: _, ...seen } = parsePicture(output);
    return { ...seen, ...place, at: clock.now() };
  };

  const passed = (view: View, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      view.skip = () => {
        cancel();
        resolve();
      };
    });

  const isOver = (view: View): boolean => isClosed || views.get(view.runtime_id) !== view;

  const run = async (view: View): Promise<void> => {
    let wait = SOONEST_MS;
    let failures = 0;
    let before = '';
    while (!isOver(view)) {
      try {
        const data = await picture(view);
        if (isOver(view)) return;
        const now = createHash('sha256').update(data.image).digest('base64');
        wait = now === before && failures === 0 ? Math.min(LATEST_MS, 2 * wait) : SOONEST_MS;
        if (now !== before || failures > 0) show(view, { kind: 'frame', data });
        before = now;
        failures = 0;
      } catch (error) {
        if (isOver(view)) return;
        const { code, message } = error instanceof BridgeError ? error : FAILED;
        failures += 1;
        if (code === 'permission_denied') return end(view, 'denied', { code, message });
        if (UNSUPPORTED.has(code)) return end(view, 'unsupported', { code, message });
        if (tabOf(view) === undefined && view.runtime_key === undefined) return end(view, 'gone', GONE);
        if (failures >= MOST_FAILURES) {
          return tabOf(view) ? end(view, 'failed', { code, message }) : end(view, 'gone', GONE);
        }
        if (failures === 1) show(view, { kind: 'trouble', data: { code, message } });
        wait = SOONEST_MS;
      }
      await passed(view, wait);
    }
  };

  const open = (runtime_id: string): View | undefined => {
    const tab = bridge.runtimes().find((each) => each.runtime_id === runtime_id);
    if (tab === undefined || isClosed) return undefined;
    const { runtime_key } = tab.ready;
    const view: View = {
      ...{ runtime_id, runtime_key, watchers: new Set(), version: 0 },
      ...{ latest: undefined, call: undefined, skip: () => {} },
    };
    views.set(runtime_id, view);
    return view;
  };

  const leave = (view: View): void => {
    if (views.get(view.runtime_id) === view) views.delete(view.runtime_id);
    view.call?.cancel('Nobody watches the tab any more.');
    view.skip();
  };

  const stop = bridge.watch((event) => {
    if (event.kind !== 'gone') return;
    const view = views.get(event.runtime_id);
    if (view !== undefined && view.runtime_key === undefined) {
      end(view, 'gone', GONE);
      view.skip();
    }
  });

  async function* watched(view: View, left: AbortSignal): AsyncGenerator<Seen | 'alive'> {
    let told = 0;
    let wake = (_?: 'alive'): void => {};
    const onSeen = (): void => wake();
    view.watchers.add(onSeen);
    left.addEventListener('abort', onSeen);
    if (view.watchers.size === 1) void run(view);
    try {
      while (!left.aborted) {
        const { promise, resolve } = Promise.withResolvers<'alive' | undefined>();
        wake = resolve;
        const { latest, version } = view;
        if (latest !== undefined && version > told) {
          told = version;
          yield latest;
          if (latest.kind === 'end') return;
          continue;
        }
        const cancel = clock.after(ALIVE_MS, () => resolve('alive'));
        const why = await promise;
        cancel();
        if (why === 'alive') yield why;
      }
    } finally {
      left.removeEventListener('abort', onSeen);
      view.watchers.delete(onSeen);
      if (view.watchers.size === 0) leave(view);
    }
  }

  return {
    /**
     * The latest picture, each different one after it, and the reason for the end. Undefined without such a
     * tab.
     */
    watch(runtime_id: string, left: AbortSignal): AsyncGenerator<Seen | 'alive'> | undefined {
      const view = views.get(runtime_id) ?? open(runtime_id);
      return view && watched(view, left);
    },
    close(): void {
      if (isClosed) return;
      isClosed = true;
      stop();
      for (const view of [...views.values()]) {
        end(view, 'stopping', { code: 'unavailable', message: 'The relay is stopping.' });
        leave(view);
      }
    },
  };
}

const GONE = { code: 'runtime_not_found', message: 'The tab is gone, or is not lent any more.' };
const FAILED = { code: 'handler_failed', message: 'The picture could not be taken.' };
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'capability_unavailable',
  'unknown_action',
  'missing_handler',
]);

export type Picture = Pick<LiveFrame, 'image' | 'mime_type' | 'width' | 'height'>;

/** A runtime's output is untrusted: it may be huge, or contain markup. */
export function parsePicture(output: unknown): Picture & { readonly scale?: number } {
  const { image, mime_type, width, height, scale } = isObject(output) ? output : {};
  const isPicture = mime_type === 'image/jpeg' || mime_type === 'image/png';
  const isImage =
    typeof image === 'string' && image.length <= MAX_CHARS && /^[A-Za-z\d+/]*={0,2}$/.test(image);
  if (!isPicture || !isImage || typeof width !== 'number' || typeof height !== 'number') {
    throw new BridgeError(
      'handler_failed',
      'The tab answered with no picture, or with one that is too large.',
    );
  }
  return { image, mime_type, width, height, ...(typeof scale === 'number' && { scale }) };
}
