import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { promisify } from 'node:util';
import { installed } from '../page/peer.ts';
import { type McpSession, startMcpSession } from './mcp-session.ts';
import type { Tally } from './reported-tokens.ts';
import { lastLine, type Placed, type ShopDriver } from './shop-agent.ts';
import type { ShopAction } from './shop-step.ts';

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

const fits = (action: ShopAction) => (role: string, name: string) =>
  role === action.role && name.startsWith(action.name);

/** `- button "Add to cart" [ref=e14] [cursor=pointer]` */
export const PLAYWRIGHT_LINE = /^\s*- '?(?<role>\w+) "(?<name>[^"]*)".*?\[ref=(?<id>\w+)\]/gm;

/** Fills a form in one call; a search is submitted with Enter in the same call. */
export function playwrightDriver(session: McpSession, tally: Tally): ShopDriver {
  const call = caller(session, tally);
  const fill = (actions: readonly Placed[]) =>
    call('browser_fill_form', {
      fields: actions.map(({ kind, id, name, value }) => ({
        target: id,
        name,
        type: FIELD_TYPES[kind],
        value: value ?? 'true',
      })),
    });
  return {
    look: () => call('browser_snapshot', {}),
    find: (text, action) => lastLine(text, PLAYWRIGHT_LINE, fits(action)),
    async act(actions) {
      const [first, second] = actions;
      const last = actions.at(-1);
      if (first === undefined || last === undefined) return '';
      if (actions.length === 2 && second?.kind === 'click')
        return call('browser_type', { target: first.id, text: first.value, submit: true });
      return last.kind === 'click' ? call('browser_click', { target: last.id }) : fill(actions);
    },
  };
}

const FIELD_TYPES = { fill: 'textbox', select: 'combobox', check: 'radio', click: 'checkbox' } as const;

/** `uid=1_10 button "Search"` */
export const DEVTOOLS_LINE = /^\s*uid=(?<id>\S+) (?<role>\w+) "(?<name>[^"]*)"/gm;

/** Fills a form in one call; the answer to a click that navigates names the new page. */
export function devtoolsDriver(session: McpSession, tally: Tally): ShopDriver {
  const call = caller(session, tally);
  const written = ({ id, value }: Placed) => ({ uid: id, value: value ?? 'true' });
  return {
    look: () => call('take_snapshot', {}),
    find: (text, action) => lastLine(text, DEVTOOLS_LINE, fits(action)),
    async act(actions) {
      const fields = actions.filter(({ kind }) => kind !== 'click').map(written);
      const [field] = fields;
      const told: string[] = [];
      if (fields.length > 1) told.push(await call('fill_form', { elements: fields }));
      else if (field !== undefined) told.push(await call('fill', field));
      for (const { id } of actions.filter(({ kind }) => kind === 'click'))
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

/** A CLI with a daemon: every command is a process, as an agent would run it. */
export function agentBrowser(port: number): (...args: readonly string[]) => Promise<string> {
  chmodSync(AGENT_BROWSER, 0o755);
  const always = ['--session', `drawbridge-bench-${port}`, '--cdp', String(port)];
  return async (...args) =>
    (await run(AGENT_BROWSER, [...always, ...args], { timeout: COMMAND_TIMEOUT_MS })).stdout;
}

/** `- button "Search" [ref=e5]` */
export const AGENT_BROWSER_LINE = /^\s*- (?<role>\w+) "(?<name>[^"]*)".*?ref=(?<id>\w+)/gm;

export function agentBrowserDriver(command: ReturnType<typeof agentBrowser>, { counted }: Tally): ShopDriver {
  const say = (...args: readonly string[]) =>
    counted(['agent-browser', ...args.map(quoted)].join(' '), command(...args));
  return {
    look: () => say('snapshot', '-i'),
    find: (text, action) => lastLine(text, AGENT_BROWSER_LINE, fits(action)),
    async act(actions) {
      const [first = [], ...more] = actions.flatMap(inSight);
      if (more.length === 0) return say(...first);
      return say('batch', ...[first, ...more].map((command) => command.map(quoted).join(' ')));
    },
  };
}

/**
 * agent-browser clicks at the element's position even outside the viewport, so a model has to scroll first.
 */
const inSight = (action: Placed): string[][] =>
  action.kind === 'click' ? [['scrollintoview', `@${action.id}`], commandOf(action)] : [commandOf(action)];

const commandOf = ({ kind, id, value }: Placed): string[] => [
  kind,
  `@${id}`,
  ...(value === undefined ? [] : [value]),
];

const quoted = (text: string): string => (/^[\w@.-]+$/.test(text) ? text : JSON.stringify(text));
