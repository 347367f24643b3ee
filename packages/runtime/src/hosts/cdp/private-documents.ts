import { RecentMap } from '@drawbridge/base';
import { isPublicAddress } from '@drawbridge/manifest/public-address';
import type { Session } from './connection.ts';

/** A request through a proxy has an unknown address space, whatever the proxy's address. */
const PRIVATE: ReadonlySet<string> = new Set(['Loopback', 'Local', 'Private']);
const MOST_AWAITED = 1_000;

/**
 * Reports each document from a private address before the browser announces the document. The address and its
 * address space come in two events, in either order.
 */
export function listenForPrivate(session: Session, onPrivate: (url: string) => void): void {
  const urls = new RecentMap<string, string>(MOST_AWAITED);
  const privates = new RecentMap<string, true>(MOST_AWAITED);
  const report = (requestId: string) => {
    const url = urls.get(requestId);
    if (url === undefined || !privates.has(requestId)) return;
    urls.delete(requestId);
    privates.delete(requestId);
    onPrivate(url);
  };
  session.on('Network.responseReceived', ({ requestId, type, response: { url, remoteIPAddress } }) => {
    if (type !== 'Document' || remoteIPAddress === undefined) return;
    // After a redirect the address space may be that of the previous address.
    if (isPublicAddress(remoteIPAddress.replace(/^\[(.*)\]$/, '$1'))) return;
    urls.set(requestId, url);
    report(requestId);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, resourceIPAddressSpace }) => {
    if (!PRIVATE.has(resourceIPAddressSpace)) return;
    privates.set(requestId, true);
    report(requestId);
  });
}
