import type { BridgeAddress } from './bridge-link.ts';

export interface BookmarkletOptions {
  /** Where `embedScript()` is served from. */
  readonly script: string;
  readonly bridge: BridgeAddress;
}

/**
 * A link to drag to the bookmarks: pressed on a page, it lends that page. It has what every script of the page
 * has and no more; a page whose content security policy forbids the script or the connection stays as it is,
 * and the person is told. Whoever has the bookmark has its token.
 */
export function bookmarklet({ script, bridge }: BookmarkletOptions): string {
  const source = `(()=>{const s=document.createElement('script');s.src=${literal(script)};s.onload=()=>{s.remove();drawbridge.startEmbed({bridge:${literal(bridge)}})};s.onerror=()=>{s.remove();alert('This page does not allow the Drawbridge script. Use the extension here.')};document.documentElement.append(s)})()`;
  return `javascript:${encodeURIComponent(source)}`;
}

const literal = (value: unknown): string => JSON.stringify(value);
