import { askDocument, rethrow } from './document-call.ts';

type Target = chrome.scripting.InjectionTarget;
/** A found document, whether it has page code, and the origins of it and its ancestors. */
export type Found = chrome.scripting.InjectionResult<Probe>;

interface Probe {
  readonly hasCode: boolean;
  readonly origins: readonly string[];
}

const SCRIPT = '/page.js';
/** A blank document is entered after this time. */
const LONGEST_BLANK_MS = 2_000;

/** Documents that the person lets us into, and whether page code is there. `now`: even while loading. */
export const look = (target: Target, now: boolean): Promise<Found[]> =>
  chrome.scripting.executeScript({ target, injectImmediately: now, func: probe }).catch(rethrow);

/** The same, once a document has loaded and painted. */
export const lookOnceDrawn = (target: Target): Promise<Found[]> =>
  chrome.scripting.executeScript({ target, func: probeOnceDrawn, args: [LONGEST_BLANK_MS] }).catch(rethrow);

/** Injects page code, which announces itself by opening its port. */
export async function enter(tabId: number, { documentId, frameId, result }: Found): Promise<void> {
  const target = { tabId, documentIds: [documentId] };
  const entered =
    result?.hasCode === true
      ? askDocument({ tabId, frameId, documentId }, 'attach')
      : chrome.scripting.executeScript({ target, injectImmediately: true, files: [SCRIPT] });
  // The document has left: the next one is looked for.
  await entered.catch(() => undefined);
}

// Self-contained: Chrome sends their sources into the document.

/** A sandboxed document has the origin `null` and its site's address; a srcdoc one the other way round. */
function probe(): Probe {
  const { origin: address, ancestorOrigins } = location;
  const hasCode = Reflect.get(globalThis, Symbol.for('drawbridge.frame')) !== undefined;
  return { hasCode, origins: [address, origin, ...ancestorOrigins] };
}

/** https://www.w3.org/TR/paint-timing/#first-contentful-paint; a background tab paints nothing. */
function probeOnceDrawn(longest: number): Promise<Probe> {
  return new Promise((resolve) => {
    const done = () => {
      const hasCode = Reflect.get(globalThis, Symbol.for('drawbridge.frame')) !== undefined;
      resolve({ hasCode, origins: [location.origin, origin] });
    };
    if (document.visibilityState === 'hidden') done();
    else setTimeout(done, longest);
    new PerformanceObserver((list, observer) => {
      if (!list.getEntries().some(({ name }) => name === 'first-contentful-paint')) return;
      observer.disconnect();
      done();
    }).observe({ type: 'paint', buffered: true });
  });
}
