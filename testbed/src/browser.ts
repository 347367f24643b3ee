import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Worker,
} from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from './chromium-binary.ts';
import type {} from './shared-chromium.ts';

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  close(): Promise<void>;
}

const open = new Set<BrowserContext>();

/** Closes the pages that a file's tests have left open: an animated page uses CPU until the worker ends. */
export async function closePages(): Promise<void> {
  await Promise.all([...open].map((context) => context.close()));
}

/** A page in a fresh context of the Chromium that all tests of this run share. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  const browser = await sharedBrowser();
  const context = await browser.newContext(options);
  open.add(context);
  context.once('close', () => open.delete(context));
  const page = await context.newPage();
  const close = () => context.close();
  return { page, context, close, [Symbol.asyncDispose]: close };
}

let connecting: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  connecting ??= connect();
  return connecting;
}

async function connect(): Promise<Browser> {
  // Imported late: programs without vitest import this file too.
  const { inject } = await import('vitest');
  const endpoint: string | undefined = inject('chromiumEndpoint');
  if (endpoint === undefined) {
    throw new Error(
      'No shared Chromium in this test run. Name the file *.browser.test.ts, so that vitest starts one.',
    );
  }
  return chromium.connect(endpoint);
}

export interface LaunchOptions {
  /** The folder of an unpacked extension to load. */
  extension?: string;
  /** A profile to use and keep. Without it, a temporary one is removed on close. */
  userDataDir?: string;
  args?: readonly string[];
}

export interface LaunchedChromium extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly userDataDir: string;
  /** The extension's service worker, once it runs. */
  extensionWorker(): Promise<Worker>;
  close(): Promise<void>;
}

/** A separate Chromium for extensions, flags and restarts, which the shared one cannot do. */
export async function launchChromium(options: LaunchOptions = {}): Promise<LaunchedChromium> {
  const { extension, userDataDir, args = [] } = options;
  const profile = userDataDir ?? (await mkdtemp(join(tmpdir(), 'drawbridge-chromium-')));
  const removeProfile = async () => {
    // Chromium's children write for a moment after the browser has exited: without retries, ENOTEMPTY.
    if (userDataDir === undefined) await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath(),
      // Playwright's own headless mode disables extensions; --headless=new does not.
      headless: false,
      args: [...CHROMIUM_FLAGS, ...extensionFlags(extension), ...args],
    });
    const close = async () => {
      await context.close();
      await removeProfile();
    };
    return {
      context,
      userDataDir: profile,
      extensionWorker: async () => context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker'),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

function extensionFlags(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  return [`--disable-extensions-except=${folder}`, `--load-extension=${folder}`];
}
