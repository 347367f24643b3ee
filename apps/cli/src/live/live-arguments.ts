import { UsageError } from '../command.ts';
import type { Options } from '../options.ts';

/** Options of every command that starts a browser. */
export const BROWSER_OPTIONS = {
  headless: { type: 'boolean', help: 'without a window' },
  local: {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'an address of your own network that agents may use without asking you; repeatable',
  },
  files: {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'a folder whose files agents may upload by their path; repeatable',
  },
  profile: {
    type: 'string',
    value: 'NAME',
    help: 'a profile that is kept: logins stay. Without it, a fresh one that is removed at the end',
  },
  data: { type: 'string', value: 'DIR', help: "Drawbridge's folder (DRAWBRIDGE_HOME, else ~/.drawbridge)" },
} as const satisfies Options;

/** Options of commands whose browser is lent to agents. */
export const INSPECT_OPTIONS = {
  inspect: {
    type: 'boolean',
    help: 'agents may use developer tools without asking you: console, requests, names of cookies',
  },
  'inspect-key': {
    type: 'string',
    multiple: true,
    value: 'KEY',
    help: 'a cookie or storage key whose value they may read too; repeatable',
  },
  'offer-maps': {
    type: 'boolean',
    help: "gives the tools of maps to the pages' own agents too (WebMCP); you are asked the same",
  },
} as const satisfies Options;

/** Additional options of commands that lend a browser. */
export const LENDING_OPTIONS = {
  url: { type: 'string', value: 'URL', help: 'where the first tab goes' },
  attach: {
    type: 'string',
    value: 'URL',
    help: 'a running browser instead, by its debugging address (http://127.0.0.1:9222); only the tabs that you lend are used',
  },
  lend: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'lend the tabs with TEXT in their address or title; repeatable; you are asked otherwise',
  },
  map: { type: 'string', multiple: true, value: 'FILE', help: 'a map to use where it fits; repeatable' },
  ...INSPECT_OPTIONS,
  ...BROWSER_OPTIONS,
} as const satisfies Options;

export interface BrowserOptions {
  readonly headless?: boolean | undefined;
  readonly profile?: string | undefined;
  readonly data?: string | undefined;
  readonly url?: string | undefined;
  /** Private addresses that the person opens beside `url`. */
  readonly local?: readonly string[] | undefined;
  /** Folders whose files agents may upload. */
  readonly files?: readonly string[] | undefined;
  /** Agents may use developer tools unasked. */
  readonly inspect?: boolean | undefined;
  readonly 'inspect-key'?: readonly string[] | undefined;
  /** Pages' own agents may use the maps' tools (WebMCP). */
  readonly 'offer-maps'?: boolean | undefined;
  /** The folder of an extension to load. */
  readonly extensionFolder?: string | undefined;
  readonly attach?: string | undefined;
  readonly lend?: readonly string[] | undefined;
}

/** The keys that `--inspect` allows; undefined without it. */
export const inspectKeysOf = ({
  inspect,
  'inspect-key': keys,
}: BrowserOptions): readonly string[] | undefined => (inspect === true ? (keys ?? []) : undefined);

export function checkOptions(options: BrowserOptions, positionals: readonly string[] = []): void {
  const { attach, url, local = [], headless, profile, lend } = options;
  if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
  if (attach === undefined && lend !== undefined)
    throw new UsageError('--lend needs --attach: without it, every tab is lent.');
  if (attach !== undefined && (url ?? headless ?? profile) !== undefined)
    throw new UsageError('--url, --headless and --profile do not work with --attach.');
  if (attach !== undefined && !/^(https?|wss?):/.test(attach))
    throw new UsageError(`--attach takes an address such as http://127.0.0.1:9222, not "${attach}".`);
  if (options['inspect-key'] !== undefined && options.inspect !== true)
    throw new UsageError('--inspect-key needs --inspect.');
  for (const address of [url ?? [], local].flat()) {
    if (!URL.canParse(address)) throw new UsageError(`"${address}" is no address.`);
  }
  if (profile !== undefined && !/^[\w-]{1,64}$/.test(profile))
    throw new UsageError('--profile takes a name: letters, digits, - and _.');
}

/** Parses a port, or throws. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number up to 65535 (0 for any), not "${text}".`);
}
