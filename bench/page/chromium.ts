import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHROMIUM_FLAGS, chromiumPath } from '@drawbridge/testbed';
import { type CdpConnection, type CdpSession, connectCdp } from './cdp.ts';

/** The one Chromium of a run: every subject uses its debugging port. */
export interface BenchChromium {
  readonly port: number;
  readonly version: string;
  readonly connection: CdpConnection;
  openTab(): Promise<Tab>;
  /** Closes every tab that pages or peers opened, except the given one. */
  closeOthers(tab: Tab): Promise<void>;
  close(): Promise<void>;
}

export interface Tab {
  readonly targetId: string;
  readonly session: CdpSession;
  goto(url: string): Promise<void>;
  /** Evaluates an expression in the page's main world. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): Promise<void>;
}

export const VIEWPORT = { width: 1280, height: 720 };

/** Blocks all but loopback: saved pages load nothing from the web. */
const OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost';
const LOAD_TIMEOUT_MS = 20_000;

export async function startChromium(): Promise<BenchChromium> {
  const profile = await mkdtemp(join(tmpdir(), 'drawbridge-bench-'));
  const flags = [...CHROMIUM_FLAGS, OFFLINE, '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const browser = spawn(chromiumPath(), [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  // Kills the browser when a run is aborted.
  process.once('exit', () => browser.kill());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const url = await debuggingUrl(browser.stderr);
  const connection = await connectCdp(url);
  const { product } = await connection.send('Browser.getVersion');

  const pages = async () => {
    const { targetInfos } = await connection.send('Target.getTargets');
    return targetInfos.filter(({ type }) => type === 'page');
  };

  return {
    port: Number(new URL(url).port),
    version: product,
    connection,
    openTab: () => openTab(connection),
    async closeOthers({ targetId: kept }) {
      for (const { targetId } of await pages()) {
        if (targetId !== kept) await connection.send('Target.closeTarget', { targetId });
      }
    },
    async close() {
      connection.close();
      const gone = once(browser, 'exit');
      browser.kill();
      await gone;
      // Chromium's children write for a moment after the browser has exited: without retries, ENOTEMPTY.
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function debuggingUrl(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [url] = /ws:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) {
      stderr.resume();
      return url;
    }
  }
  throw new Error('Chromium ended before it opened its debugging port.');
}

async function openTab(connection: CdpConnection): Promise<Tab> {
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  const session = connection.session(sessionId);
  await session.send('Page.enable');
  await session.send('Emulation.setDeviceMetricsOverride', {
    ...VIEWPORT,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  session.on('Page.javascriptDialogOpening', () => {
    session.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
  });

  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };

  return {
    targetId,
    session,
    evaluate,
    async goto(url) {
      const loaded = new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${url} did not load.`)), LOAD_TIMEOUT_MS);
        const off = session.on('Page.loadEventFired', () => {
          clearTimeout(timer);
          off();
          resolve();
        });
      });
      await Promise.all([loaded, session.send('Page.navigate', { url })]);
      await evaluate(TWO_FRAMES);
    },
    close: async () => {
      await connection.send('Target.closeTarget', { targetId });
    },
  };
}

/** Waits for load handlers and the layout after them. */
const TWO_FRAMES = `new Promise((done) => setTimeout(() =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 50))`;
