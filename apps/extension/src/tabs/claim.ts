import type { ControlPlane } from '@drawbridge/runtime';

/** A person's loan of one tab. Outlives the worker and ends with the browser. */
export interface Claim {
  readonly tabId: number;
  readonly runtimeId: string;
  readonly authorizationId: string;
  readonly lentAt: number;
  readonly trusted: boolean;
  /** Lent by the person, or opened by a call from a lent tab. */
  readonly by: 'person' | 'agent';
}

export type Unlendable = 'not_seen' | 'browser_page' | 'web_store' | 'control_plane';

/** Why a tab cannot be lent; undefined if it can, as far as Chrome shows its address. */
export function cannotLend(
  url: string | undefined,
  controlPlane: Pick<ControlPlane, 'has'>,
): Unlendable | undefined {
  // Without `tabs`, which would show every address, Chrome shows only pages that the person pointed us at.
  if (url === undefined || url === '') return 'not_seen';
  if (!/^https?:/.test(url)) return 'browser_page';
  if (controlPlane.has(url)) return 'control_plane';
  const { hostname } = new URL(url);
  if (hostname === 'chromewebstore.google.com' || url.startsWith('https://chrome.google.com/webstore'))
    return 'web_store';
  return undefined;
}
