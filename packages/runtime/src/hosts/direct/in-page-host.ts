import { createSurfaceCode } from '@drawbridge/page/calls';
import { BridgeError } from '@drawbridge/protocol';
import type { HostKind } from '@drawbridge/protocol/primitives';
import { DocumentLeft, type HostEvent, type Surface, type SurfaceHost } from '../../host.ts';

export interface InPageHostOptions {
  readonly kind: Extract<HostKind, 'direct' | 'embed'>;
  readonly window: Window & typeof globalThis;
  readonly runtimeKey: string;
}

/**
 * A host made of page script alone, in the same world as page code. No trusted input, screenshots, tabs or
 * dialogs; ends with its document.
 */
export function createInPageHost({ kind, window, runtimeKey }: InPageHostOptions): SurfaceHost {
  const { document } = window;
  const listeners = new Set<(event: HostEvent) => void>();
  const tell = (event: HostEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const code = createSurfaceCode({
    window,
    hooks: { send: (notice) => tell({ kind: 'notice', notice }) },
    sendWebTools: (notice) => tell({ kind: 'notice', notice }),
  });
  const surface = (): Surface => ({
    ...code.place(),
    active: document.visibilityState === 'visible',
  });
  let state: 'here' | 'away' | 'closed' = 'here';
  let known = surface();

  const onMove = () => {
    const now = surface();
    if (
      state !== 'here' ||
      (now.url === known.url && now.title === known.title && now.active === known.active)
    )
      return;
    known = now;
    tell({ kind: 'moved', ...now });
  };
  const onHide = () => {
    if (state === 'here') tell({ kind: 'left' });
    state = state === 'closed' ? 'closed' : 'away';
  };
  // Restored from the back-forward cache: the same document, with its page code.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted || state === 'closed') return;
    state = 'here';
    tell({ kind: 'ready', ...surface() });
  };
  const titles = new window.MutationObserver(onMove);
  if (document.head !== null)
    titles.observe(document.head, { childList: true, subtree: true, characterData: true });
  const navigation: unknown = Reflect.get(window, 'navigation');
  const entries = navigation instanceof window.EventTarget ? navigation : window;
  entries.addEventListener('currententrychange', onMove);
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);
  document.addEventListener('visibilitychange', onMove);

  return {
    kind,
    runtimeKey,
    surface,
    async callPage(name, args) {
      if (state !== 'here') throw new DocumentLeft('The document has left, and the script that lived in it.');
      const answer = await code.call(name, args);
      if (answer.ok) return answer.value;
      const { code: errorCode, message, evidence } = answer.error;
      throw new BridgeError(errorCode, message, { evidence });
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      if (state === 'closed') return;
      state = 'closed';
      titles.disconnect();
      entries.removeEventListener('currententrychange', onMove);
      window.removeEventListener('pagehide', onHide);
      window.removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', onMove);
      code.close();
      tell({ kind: 'closed', reason: 'The host was closed.' });
      listeners.clear();
    },
  };
}
