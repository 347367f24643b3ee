import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { promisify } from 'node:util';
import { installed } from '../page/peer.ts';
import { type McpSession, startMcpSession } from './mcp-session.ts';
import { lastLine, type Placed, type ShopHands } from './shop-agent.ts';
import type { Deed } from './shop-step.ts';
import type { Tally } from './told-tokens.ts';

export const startPlaywright = (port: number): Promise<McpSession> =>
  startMcpSession(installed('@playwright/mcp/cli.js'), ['--cdp-endpoint', `http://127.0.0.1:${port}`]);

export const startDevtools = (port: number): Promise<McpSession> =>
  startMcpSession(installed('chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'), [
    ...['--browserUrl', `http://127.0.0.1:${port}`],
    ...['--no-usage-statistics', '--no-performance-crux', '--no-page-id-routing'],
  ]);

const caller =
  (session: McpSession, { counted }: Tally) =>
  (tool: string, args: object) =>
    counted(`${tool} ${JSON.stringify(args)}`, session.call(tool, { ...args }));

const fits = (deed: Deed) => (role: string, name: string) => role === deed.role && name.startsWith(deed.name);

/** `- button "Add to cart" [ref=e14] [cursor=pointer]` */
export const PLAYWRIGHT_LINE = /^\s*- '?(?<role>\w+) "(?<name>[^"]*)".*?\[ref=(?<id>\w+)\]/gm;

/** Forms are filled in one call; a search is sent with Enter in the same one. */
export function playwrightHands(session: McpSession, tally: Tally): ShopHands {
  const call = caller(session, tally);
  const fill = (deeds: readonly Placed[]) =>
    call('browser_fill_form', {
      fields: deeds.map(({ kind, id, name, value }) => ({
        target: id,
        name,
        type: FIELD_TYPES[kind],
        value: value ?? 'true',
      })),
    });
  return {
    look: () => call('browser_snapshot', {}),
    find: (text, deed) => lastLine(text, PLAYWRIGHT_LINE, fits(deed)),
    async act(deeds) {
      const [first, second] = deeds;
      const last = deeds.at(-1);
      if (first === undefined || last === undefined) return '';
      if (deeds.length === 2 && second?.kind === 'click')
        return call('browser_type', { target: first.id, text: first.value, submit: true });
      return last.kind === 'click' ? call('browser_click', { target: last.id }) : fill(deeds);
    },
  };
}

const FIELD_TYPES = { fill: 'textbox', select: 'combobox', check: 'radio', click: 'checkbox' } as const;

/** `uid=1_10 button "Search"` */
export const DEVTOOLS_LINE = /^\s*uid=(?<id>\S+) (?<role>\w+) "(?<name>[^"]*)"/gm;

/** Forms are filled in one call; a click that leaves says in the same answer where it led. */
export function devtoolsHands(session: McpSession, tally: Tally): ShopHands {
  const call = caller(session, tally);
  const written = ({ id, value }: Placed) => ({ uid: id, value: value ?? 'true' });
  return {
    look: () => call('take_snapshot', {}),
    find: (text, deed) => lastLine(text, DEVTOOLS_LINE, fits(deed)),
    async act(deeds) {
      const fields = deeds.filter(({ kind }) => kind !== 'click').map(written);
      const [field] = fields;
      const told: string[] = [];
      if (fields.length > 1) told.push(await call('fill_form', { elements: fields }));
      else if (field !== undefined) told.push(await call('fill', field));
      for (const { id } of deeds.filter(({ kind }) => kind === 'click'))
        told.push(await call('click', { uid: id, includeSnapshot: true }));
      return told.join('\n');
    },
  };
}

const run = promisify(execFile);
const SUFFIX = process.platform === 'win32' ? '.exe' : '';
const AGENT_BROWSER = installed(
  `agent-browser/bin/agent-browser-${process.platform}-${process.arch}${SUFFIX}`,
);
const COMMAND_TIMEOUT_MS = 90_000;

/** A command-line tool with a daemon behind it: every command is a process, as an agent would run it. */
export function agentBrowser(port: number): (...args: readonly string[]) => Promise<string> {
  chmodSync(AGENT_BROWSER, 0o755);
  const always = ['--session', `drawbridge-bench-${port}`, '--cdp', String(port)];
  return async (...args) =>
    (await run(AGENT_BROWSER, [...always, ...args], { timeout: COMMAND_TIMEOUT_MS })).stdout;
}

/** `- button "Search" [ref=e5]` */
export const AGENT_BROWSER_LINE = /^\s*- (?<role>\w+) "(?<name>[^"]*)".*?ref=(?<id>\w+)/gm;

export function agentBrowserHands(command: ReturnType<typeof agentBrowser>, { counted }: Tally): ShopHands {
  const say = (...args: readonly string[]) =>
    counted(['agent-browser', ...args.map(quoted)].join(' '), command(...args));
  return {
    look: () => say('snapshot', '-i'),
    find: (text, deed) => lastLine(text, AGENT_BROWSER_LINE, fits(deed)),
    async act(deeds) {
      const [first = [], ...more] = deeds.flatMap(inSight);
      if (more.length === 0) return say(...first);
      return say('batch', ...[first, ...more].map((command) => command.map(quoted).join(' ')));
    },
  };
}

/** It presses where the element is, in sight or not: a model that has learnt so brings it into view first. */
const inSight = (deed: Placed): string[][] =>
  deed.kind === 'click' ? [['scrollintoview', `@${deed.id}`], commandOf(deed)] : [commandOf(deed)];

const commandOf = ({ kind, id, value }: Placed): string[] => [
  kind,
  `@${id}`,
  ...(value === undefined ? [] : [value]),
];

const quoted = (text: string): string => (/^[\w@.-]+$/.test(text) ? text : JSON.stringify(text));
