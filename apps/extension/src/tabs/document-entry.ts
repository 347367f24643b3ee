import { askDocument, rethrow } from './document-call.ts';

type Target = chrome.scripting.InjectionTarget;
/** A document that was found, and whether page code is in it. */
export type Found = chrome.scripting.InjectionResult<boolean>;

const SCRIPT = '/page.js';
/** One that draws nothing is entered all the same. */
const LONGEST_BLANK_MS = 2_000;

/** Into which documents a person lets us, and whether page code is there. `now`: though they still load. */
export const look = (target: Target, now: boolean): Promise<Found[]> =>
  chrome.scripting.executeScript({ target, injectImmediately: now, func: hasCode }).catch(rethrow);

/** The same, when a document has loaded and has drawn something. */
export const lookOnceDrawn = (target: Target): Promise<Found[]> =>
  chrome.scripting.executeScript({ target, func: hasCodeOnceDrawn, args: [LONGEST_BLANK_MS] }).catch(rethrow);

/** Page code opens its port, which is how the worker hears of it. */
export async function enter(tabId: number, { documentId, frameId, result }: Found): Promise<void> {
  const target = { tabId, documentIds: [documentId] };
  const entered =
    result === true
      ? askDocument({ tabId, frameId, documentId }, 'attach')
      : chrome.scripting.executeScript({ target, injectImmediately: true, files: [SCRIPT] });
  // It left meanwhile: the next one is looked for.
  await entered.catch(() => undefined);
}

// Chrome sends their texts into the document: they use nothing from outside.

function hasCode(): boolean {
  return Reflect.get(globalThis, Symbol.for('drawbridge.frame')) !== undefined;
}

/** https://www.w3.org/TR/paint-timing/#first-contentful-paint; a tab behind another draws nothing. */
function hasCodeOnceDrawn(longest: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => resolve(Reflect.get(globalThis, Symbol.for('drawbridge.frame')) !== undefined);
    if (document.visibilityState === 'hidden') done();
    else setTimeout(done, longest);
    new PerformanceObserver((list, observer) => {
      if (!list.getEntries().some(({ name }) => name === 'first-contentful-paint')) return;
      observer.disconnect();
      done();
    }).observe({ type: 'paint', buffered: true });
  });
}
