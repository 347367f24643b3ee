import type { Requests } from '../../host.ts';
import type { Session } from './connection.ts';

/** Kinds whose answer a page may show. Streams and beacons never end, or change nothing. */
const AWAITED: ReadonlySet<string> = new Set([
  'XHR',
  'Fetch',
  'Script',
  'Stylesheet',
  'Image',
  'Font',
  'Document',
  'Media',
] as const);

/** Requests of a tab that have started and not ended. */
export interface OwnRequests extends Requests {
  readonly listen: (session: Session) => void;
}

const MOST_PENDING = 1_000;

export function createOwnRequests(mainFrameId: string): OwnRequests {
  const pending = new Map<string, number>();
  const waiting = new Set<() => void>();
  let begun = 0;
  const ended = (requestId: string) => {
    if (!pending.delete(requestId)) return;
    for (const wake of [...waiting]) wake();
  };
  const since = (mark: number) => [...pending.values()].filter((number) => number > mark).length;
  return {
    listen(session) {
      session.on('Network.requestWillBeSent', ({ requestId, frameId, type }) => {
        // The surface reports when the tab itself navigates.
        if (type === 'Document' && frameId === mainFrameId) return;
        if (type === undefined || !AWAITED.has(type) || pending.size >= MOST_PENDING) return;
        pending.set(requestId, pending.get(requestId) ?? ++begun);
      });
      session.on('Network.loadingFinished', ({ requestId }) => ended(requestId));
      session.on('Network.loadingFailed', ({ requestId }) => ended(requestId));
    },
    mark: () => begun,
    since,
    async finished(mark, maxMs) {
      if (since(mark) === 0) return;
      await new Promise<void>((resolve) => {
        const wake = () => {
          if (since(mark) > 0) return;
          waiting.delete(wake);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(wake);
          resolve();
        }, maxMs);
        waiting.add(wake);
      });
    },
  };
}
