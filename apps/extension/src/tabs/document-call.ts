import { BridgeError } from '@drawbridge/protocol';
import { DocumentLeft } from '@drawbridge/runtime';

/** One document in one frame of one tab. */
export interface DocumentLocation {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId: string;
}

/** Calls page code in a document. Chrome returns `null` for one that has left. */
export async function askDocument(
  { tabId, documentId }: DocumentLocation,
  name: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const ran = await chrome.scripting
    .executeScript({
      target: { tabId, documentIds: [documentId] },
      injectImmediately: true,
      func: runHere,
      args: [name, JSON.stringify(args)],
    })
    .catch(rethrow);
  const text: unknown = ran[0]?.result;
  if (typeof text !== 'string') throw new DocumentLeft('The document left while page code ran in it.');
  return parseValue(text);
}

/** Self-contained: Chrome sends its source into the document. */
function runHere(name: string, args: string): Promise<string> | undefined {
  const code = Reflect.get(globalThis, Symbol.for('drawbridge.frame'));
  return code?.run(name, args);
}

const GONE = /no (?:document|frame|tab) with id|was removed|tab was closed|no longer available|closed/i;
const FORBIDDEN = /cannot access|must request permission|cannot be scripted|showing error page|gallery/i;

/** Maps Chrome's error messages to our codes. */
export function rethrow(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  if (FORBIDDEN.test(message)) throw unreachable(message);
  if (GONE.test(message)) throw new DocumentLeft('The document left while page code ran in it.');
  throw new BridgeError('handler_failed', `Chrome refused: ${message.slice(0, 200)}. Reload the page.`, {
    evidence: { reason: 'chrome_refused' },
  });
}

export const isUnreachable = (error: unknown): error is BridgeError =>
  error instanceof BridgeError && error.evidence['reason'] === 'site_not_allowed';

export const isErrorPage = (error: unknown): boolean =>
  error instanceof BridgeError && error.evidence['error_page'] === true;

function unreachable(said: string): BridgeError {
  const isFailed = /error page/i.test(said);
  const message = isFailed
    ? 'The tab shows an error page of the browser. Navigate it elsewhere, or try again.'
    : 'The person has not allowed the extension on this page. Ask them to press its button in the toolbar there.';
  return new BridgeError('runtime_not_ready', message, {
    evidence: { reason: 'site_not_allowed', ...(isFailed && { error_page: true }) },
  });
}

function parseValue(text: string): unknown {
  return (JSON.parse(text) as { readonly value?: unknown }).value;
}
