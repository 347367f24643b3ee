import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

/** Options of every command that starts a browser. */
export const BROWSER_OPTIONS = {
  headless: { type: 'boolean' },
  profile: { type: 'string' },
  data: { type: 'string' },
  url: { type: 'string' },
  local: { type: 'string', multiple: true },
  files: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

export const BROWSER_HELP = `  --headless      without a window
  --local URL     an address of your own network that agents may
                  use without asking you; repeatable
  --files DIR     a folder whose files agents may upload by
                  their path; repeatable
  --profile NAME  a profile that is kept: logins stay. Without
                  it, a fresh one that is removed at the end
  --data DIR      Drawbridge's folder (DRAWBRIDGE_HOME, else
                  ~/.drawbridge)`;

/** Options of commands whose browser is lent to agents. */
export const INSPECT_OPTIONS = {
  inspect: { type: 'boolean' },
  'inspect-key': { type: 'string', multiple: true },
  'offer-maps': { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

export const INSPECT_HELP = `  --inspect       agents may use developer tools without asking
                  you: console, requests, names of cookies
  --inspect-key KEY
                  a cookie or storage key whose value they may
                  read too; repeatable
  --offer-maps    gives the tools of maps to the pages' own
                  agents too (WebMCP); you are asked the same`;

/** Additional options of commands that lend a browser. */
export const LENDING_OPTIONS = {
  ...BROWSER_OPTIONS,
  ...INSPECT_OPTIONS,
  attach: { type: 'string' },
  lend: { type: 'string', multiple: true },
  map: { type: 'string', multiple: true },
} as const satisfies ParseArgsOptionsConfig;

export const LENDING_HELP = `  --url URL       where the first tab goes
  --attach URL    a running browser instead, by its debugging
                  address (http://127.0.0.1:9222); only the
                  tabs that you lend are used
  --lend TEXT     lend the tabs with TEXT in their address or
                  title; repeatable; you are asked otherwise
  --map FILE      a map to use where it fits; repeatable
${INSPECT_HELP}
${BROWSER_HELP}`;

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

export function readLiveArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

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
