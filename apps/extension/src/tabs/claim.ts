/** A person's act of lending one tab. It outlives the worker and ends with the browser. */
export interface Claim {
  readonly tabId: number;
  readonly runtimeId: string;
  readonly authorizationId: string;
  readonly lentAt: number;
  readonly trusted: boolean;
  /** The person lent it, or a call opened it from a tab that they lent. */
  readonly by: 'person' | 'agent';
}

/** Why a tab cannot be lent; undefined when it can, as far as Chrome tells its address. */
export function cannotLend(url: string | undefined): string | undefined {
  if (url === undefined || url === '') return NOT_SEEN;
  if (!/^https?:/.test(url)) return 'Only pages of the web can be lent, not those of the browser itself.';
  const { hostname } = new URL(url);
  if (hostname === 'chromewebstore.google.com' || url.startsWith('https://chrome.google.com/webstore'))
    return 'Chrome lets no extension into the Web Store.';
  return undefined;
}

/** Without `tabs`, which would show every address to us, Chrome tells of a page only what the person pointed us at. */
const NOT_SEEN =
  'Press the Drawbridge button in the toolbar on this tab: before that, Chrome does not show it.';
