import { isPublicAddress } from '@drawbridge/manifest/public-address';
import type { Session } from './connection.ts';

/** Of a request through a proxy the space is unknown, whatever the proxy's own address is. */
const PRIVATE: ReadonlySet<string> = new Set(['Loopback', 'Local', 'Private']);
const MOST_AWAITED = 1_000;

/**
 * Reports each document that came from a private address, before the browser says that it is there. Its address and
 * the space of that address come in two events, in either order.
 */
export function listenForPrivate(session: Session, onPrivate: (url: string) => void): void {
  const urls = new Map<string, string>();
  const privates = new Map<string, true>();
  const report = (requestId: string) => {
    const url = urls.get(requestId);
    if (url === undefined || !privates.has(requestId)) return;
    urls.delete(requestId);
    privates.delete(requestId);
    onPrivate(url);
  };
  session.on('Network.responseReceived', ({ requestId, type, response: { url, remoteIPAddress } }) => {
    if (type !== 'Document' || remoteIPAddress === undefined) return;
    // After a redirect the space may be that of the address before.
    if (isPublicAddress(remoteIPAddress.replace(/^\[(.*)\]$/, '$1'))) return;
    keep(urls, requestId, url);
    report(requestId);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, resourceIPAddressSpace }) => {
    if (!PRIVATE.has(resourceIPAddressSpace)) return;
    keep(privates, requestId, true);
    report(requestId);
  });
}

function keep<Fact>(facts: Map<string, Fact>, requestId: string, fact: Fact): void {
  facts.set(requestId, fact);
  const [oldest] = facts.keys();
  if (facts.size > MOST_AWAITED && oldest !== undefined) facts.delete(oldest);
}
