/**
 * Calls back when a page or worker may have been asleep or offline; never where such events are missing, as
 * in Node.
 */
export function onWakeUp(wake: () => void): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => {};
  const wakeIfSeen = () => {
    if (document.visibilityState === 'visible') wake();
  };
  const hasDocument = typeof document !== 'undefined';
  globalThis.addEventListener('online', wake);
  // A page restored from the back/forward cache has lost its sockets.
  globalThis.addEventListener('pageshow', wake);
  if (hasDocument) document.addEventListener('visibilitychange', wakeIfSeen);
  return () => {
    globalThis.removeEventListener('online', wake);
    globalThis.removeEventListener('pageshow', wake);
    if (hasDocument) document.removeEventListener('visibilitychange', wakeIfSeen);
  };
}
