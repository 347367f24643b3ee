import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { chromiumPath } from '@drawbridge/testbed';
import { startMcpSession } from '../act/mcp-session.ts';
import { installed } from '../page/peer.ts';

/** A program with one page open, in a fresh browser. */
export interface OpenProgram {
  call(call: Call): Promise<Answer>;
  questions(): readonly string[];
  close(): Promise<void>;
}

export type Call =
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly argv: readonly string[] };

export interface Answer {
  readonly text: string;
  /** Pictures in base64. */
  readonly pictures: readonly string[];
}

interface Program {
  /** Everything that a model is given before it starts. */
  surface(folder: string): Promise<string>;
  open(url: string, folder: string): Promise<OpenProgram>;
}

const DRAWBRIDGE = fileURLToPath(new URL('../../apps/cli/bin/drawbridge.mjs', import.meta.url));
const PLAYWRIGHT = installed('@playwright/mcp/cli.js');
const AGENT_BROWSER = installed(`agent-browser/bin/agent-browser-${process.platform}-${process.arch}`);

export const filesOf = (folder: string): string => {
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  return files;
};

const startDrawbridge = (folder: string, url = 'about:blank') =>
  startMcpSession(
    DRAWBRIDGE,
    ['mcp', '--headless', '--url', url, '--files', filesOf(folder), '--data', join(folder, 'data')],
    { cwd: filesOf(folder) },
  );

const startPlaywright = (folder: string) =>
  startMcpSession(
    PLAYWRIGHT,
    [
      ...['--headless', '--isolated', '--caps', 'vision', '--executable-path', chromiumPath()],
      ...['--output-dir', filesOf(folder)],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    { cwd: filesOf(folder) },
  );

type Session = Awaited<ReturnType<typeof startMcpSession>>;

const surfaceOf = (session: Session): string => {
  const { instructions, tools } = session.surface;
  session.close();
  return [instructions, ...tools.map((tool) => JSON.stringify(tool))].join('\n\n');
};

const played = (session: Session): OpenProgram => ({
  async call(call) {
    if ('argv' in call) throw new Error('This program has tools: play call TOOL JSON.');
    const { content, isError } = await session.answer(call.tool, call.args);
    return {
      text: (isError ? ['Error:'] : []).concat(content.flatMap((part) => part.text ?? [])).join('\n'),
      pictures: content.flatMap(({ type, data }) => (type === 'image' && data !== undefined ? data : [])),
    };
  },
  questions: session.questions,
  close: async () => session.close(),
});

export const PROGRAMS: Readonly<Record<string, Program>> = {
  drawbridge: {
    surface: async (folder) => surfaceOf(await startDrawbridge(folder)),
    async open(url, folder) {
      const session = await startDrawbridge(folder, url);
      // The browser starts at the first call.
      await session.answer('tabs', { do: 'list' });
      return played(session);
    },
  },
  playwright: {
    surface: async (folder) => surfaceOf(await startPlaywright(folder)),
    async open(url, folder) {
      const session = await startPlaywright(folder);
      await session.answer('browser_navigate', { url });
      return played(session);
    },
  },
  'agent-browser': {
    async surface(folder) {
      const [help, skill] = await Promise.all([
        agentBrowser(folder, ['--help']),
        agentBrowser(folder, ['skills', 'get', 'core', '--full']),
      ]);
      return `${help}\n\n${skill}`;
    },
    async open(url, folder) {
      await agentBrowser(folder, ['open', url]);
      return {
        async call(call) {
          if (!('argv' in call)) throw new Error('This program has commands: play run COMMAND.');
          return { text: await agentBrowser(folder, call.argv), pictures: [] };
        },
        questions: () => [],
        close: async () => {
          await agentBrowser(folder, ['close']);
        },
      };
    },
  },
};

const COMMAND_TIMEOUT_MS = 90_000;

async function agentBrowser(folder: string, argv: readonly string[]): Promise<string> {
  chmodSync(AGENT_BROWSER, 0o755);
  const session = `play-${folder.replaceAll(/\W+/g, '-')}`.slice(-40);
  const child = spawn(AGENT_BROWSER, ['--session', session, ...argv], {
    cwd: filesOf(folder),
    timeout: COMMAND_TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      AGENT_BROWSER_EXECUTABLE_PATH: chromiumPath(),
      ...(process.getuid?.() === 0 && { AGENT_BROWSER_ARGS: '--no-sandbox' }),
    },
  });
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return [out, error].filter((part) => part !== '').join('\n');
}
