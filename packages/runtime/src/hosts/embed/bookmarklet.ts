import type { BridgeAddress } from './bridge-link.ts';

export interface BookmarkletOptions {
  /** URL of `embedScript()`. */
  readonly script: string;
  readonly bridge: BridgeAddress;
}

/**
 * A link for the bookmarks bar: pressed on a page, it lends that page. Limited to the rights of any page
 * script; when a content security policy forbids the script or the connection, the person is told and nothing
 * changes. The bookmark contains its token.
 */
export function bookmarklet({ script, bridge }: BookmarkletOptions): string {
  const source = `(()=>{const s=document.createElement('script');s.src=${literal(script)};s.onload=()=>{s.remove();drawbridge.startEmbed({bridge:${literal(bridge)}})};s.onerror=()=>{s.remove();alert('This page does not allow the Drawbridge script. Use the extension here.')};document.documentElement.append(s)})()`;
  return `javascript:${encodeURIComponent(source)}`;
}

const literal = (value: unknown): string => JSON.stringify(value);
