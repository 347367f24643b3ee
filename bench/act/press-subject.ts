import type { BenchChromium, Tab } from '../page/chromium.ts';
import { OUR_LINE, startDrawbridge } from './drawbridge-driver.ts';
import { drawbridgeInProcess } from './in-process.ts';
import type { McpSession } from './mcp-session.ts';
import {
  AGENT_BROWSER_LINE,
  agentBrowser,
  DEVTOOLS_LINE,
  PLAYWRIGHT_LINE,
  startDevtools,
  startPlaywright,
} from './peer-drivers.ts';
import { BUTTON } from './press-page.ts';
import { lastLine } from './shop-agent.ts';

export interface PressSubject {
  readonly name: string;
  start(chromium: BenchChromium, tab: Tab, url: string): Promise<RunningPress>;
}

export interface RunningPress {
  /** Resolves when the caller has its answer. */
  press(): Promise<unknown>;
  /** The same round trip without an action: the cost of a separate process. */
  ping?(): Promise<unknown>;
  close(): void | Promise<void>;
}

/** The floor: rect, press and release over bare CDP. Checks nothing and waits for nothing. */
export function rawPress({ session }: Tab): () => Promise<unknown> {
  const where = `(() => { const { x, y, width, height } = document.querySelector('${BUTTON.selector}').getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 }; })()`;
  return async () => {
    const { result } = await session.send('Runtime.evaluate', { expression: where, returnByValue: true });
    const at = { ...point(result.value), button: 'left', clickCount: 1 } as const;
    await Promise.all([
      session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at }),
      session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }),
    ]);
  };
}

const point = (value: { readonly x: number; readonly y: number }) => ({ x: value.x, y: value.y });

const byMcp = (
  name: string,
  start: (port: number, url: string) => Promise<McpSession>,
  look: string,
  line: RegExp,
  pressWith: (id: string) => readonly [tool: string, args: Readonly<Record<string, unknown>>],
): PressSubject => ({
  name,
  async start({ port }, _tab, url) {
    const session = await start(port, url);
    const [tool, args] = pressWith(buttonIn(await session.call(look, {}), line));
    return { press: () => session.call(tool, args), ping: session.ping, close: session.close };
  },
});

function buttonIn(text: string, line: RegExp): string {
  const id = lastLine(text, line, (_role, name) => name === BUTTON.name);
  if (id === undefined) throw new Error(`The button is not in:\n${text}`);
  return id;
}

export const OURS_IN_PROCESS = 'ours: bridge.call, in process';
export const OURS_BY_MCP = 'ours: drawbridge mcp';

export const PRESS_SUBJECTS: readonly PressSubject[] = [
  { name: OURS_IN_PROCESS, start: ({ port }, _tab, url) => drawbridgeInProcess(port, url, BUTTON.name) },
  byMcp(OURS_BY_MCP, startDrawbridge, 'snapshot', OUR_LINE, (id) => [
    'act',
    { steps: [{ do: 'click', id }] },
  ]),
  byMcp('@playwright/mcp', startPlaywright, 'browser_snapshot', PLAYWRIGHT_LINE, (target) => [
    'browser_click',
    { target },
  ]),
  byMcp('chrome-devtools-mcp', startDevtools, 'take_snapshot', DEVTOOLS_LINE, (uid) => ['click', { uid }]),
  {
    name: 'agent-browser',
    async start({ port }) {
      const command = agentBrowser(port);
      const id = buttonIn(await command('snapshot', '-i'), AGENT_BROWSER_LINE);
      return {
        press: () => command('click', `@${id}`),
        ping: () => command('get', 'url'),
        close: async () => {
          await command('close');
        },
      };
    },
  },
];
