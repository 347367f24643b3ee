import { openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { WorkerState } from '../../src/wire.ts';
import { type BuiltPages, buildPages, type PageName } from './stand-in/built-pages.ts';

export interface OpenOptions {
  readonly width?: number;
  readonly state?: WorkerState;
  readonly dark?: boolean;
  readonly isRelayReal?: boolean;
}

/** Builds the extension's pages for the tests of a file. */
export function builtPages() {
  let pages: BuiltPages;
  beforeAll(async () => {
    pages = await buildPages();
  }, 120_000);
  afterAll(() => pages[Symbol.asyncDispose]());
  return {
    openedPage: (name: PageName, options?: OpenOptions) => openedPage(pages, name, options),
  };
}

/** One page in a separate browser. Page errors fail the test. */
async function openedPage(pages: BuiltPages, name: PageName, options: OpenOptions = {}) {
  const { width = 400, state, dark = false, isRelayReal = false } = options;
  const { page, close } = await openPage({
    viewport: { width, height: 760 },
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-US',
  });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  onTestFinished(async () => {
    await close();
    expect(faults).toEqual([]);
  });
  const played = await pages.open(page, name, isRelayReal);
  if (state !== undefined) await played.show(state);
  return { page, ...played };
}
