import { askDocument, rethrow } from './document-call.ts';

type Target = chrome.scripting.InjectionTarget;
/** A document that was found, whether page code is in it, and the origins that it and the frames around it have. */
export type Found = chrome.scripting.InjectionResult<Probe>;

interface Probe {
  readonly hasCode: boolean;
  readonly origins: readonly string[];
}

const SCRIPT = '/page.js';
/** One that draws nothing is entered all the same. */
const LONGEST_BLANK_MS = 2_000;

/** Into which documents a person lets us, and whether page code is there. `now`: though they still load. */
export const look = (target: Target, now: boolean): Promise<Found[]> =>
  chrome.scripting.executeScript({ target, injectImmediately: now, func: probe }).catch(rethrow);

/** The same, when a document has loaded and has drawn something. */
export const lookOnceDrawn = (target: Target): Promise<Found[]> =>
  chrome.scripting.executeScript({ target, func: probeOnceDrawn, args: [LONGEST_BLANK_MS] }).catch(rethrow);

/** Page code opens its port, which is how the worker hears of it. */
export async function enter(tabId: number, { documentId, frameId, result }: Found): Promise<void> {
  const target = { tabId, documentIds: [documentId] };
  const entered =
    result?.hasCode === true
      ? askDocument({ tabId, frameId, documentId }, 'attach')
      : chrome.scripting.executeScript({ target, injectImmediately: true, files: [SCRIPT] });
  // It left meanwhile: the next one is looked for.
  await entered.catch(() => undefined);
}

// Chrome sends their texts into the document: they use nothing from outside.

/** A sandboxed document has the origin `null` and its site's address; a srcdoc one the other way round. */
function probe(): Probe {
  const { origin: address, ancestorOrigins } = location;
  const hasCode = Reflect.get(globalThis, Symbol.for('drawbridge.frame')) !== undefined;
  return { hasCode, origins: [address, origin, ...ancestorOrigins] };
}

/** https://www.w3.org/TR/paint-timing/#first-contentful-paint; a tab behind another draws nothing. */
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
