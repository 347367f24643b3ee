import { fileURLToPath } from 'node:url';
import type { BenchChromium, Tab } from './chromium.ts';

/** A program that agents use for the same purpose, through its agent interface. */
export interface Peer {
  readonly name: string;
  start(chromium: BenchChromium, tab: Tab): Promise<RunningPeer>;
}

export interface RunningPeer {
  /** Text for a model about the open page. */
  look(): Promise<string>;
  /** Marks of the elements that the last answer offers to press or fill. */
  marks(answer: string): Promise<readonly string[]>;
  close(): void | Promise<void>;
}

/** Roles of elements to press or fill; answers also contain headings, texts and groups. */
export const OFFERED_ROLES: ReadonlySet<string> = new Set(
  'button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab option combobox textbox searchbox slider spinbutton treeitem clickable focusable listbox DisclosureTriangle'.split(
    ' ',
  ),
);

export function installed(file: string): string {
  return fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url));
}
