import { fileURLToPath } from 'node:url';
import type { BenchChromium, Tab } from './chromium.ts';

/** A program that agents use for the same purpose, through the interface agents use. */
export interface Peer {
  readonly name: string;
  start(chromium: BenchChromium, tab: Tab): Promise<RunningPeer>;
}

export interface RunningPeer {
  /** What it tells a model of the page that is open. */
  look(): Promise<string>;
  /** The marks on the elements that its last answer offers as something to press or fill. */
  marks(answer: string): Promise<readonly string[]>;
  close(): void | Promise<void>;
}

/** Roles that say "this can be pressed or filled"; headings, texts and groups are told beside them. */
export const OFFERED_ROLES: ReadonlySet<string> = new Set(
  'button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab option combobox textbox searchbox slider spinbutton treeitem clickable focusable listbox DisclosureTriangle'.split(
    ' ',
  ),
);

export function installed(file: string): string {
  return fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url));
}
