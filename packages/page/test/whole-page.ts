import { type OpenPage, openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll } from 'vitest';
import type { Page } from '../src/index.ts';
import { pageCodeBundle } from './page-harness.ts';

declare global {
  /** The whole page code, for a test's own code in the page. */
  var wholePage: Page;
  /** All exports of the package. */
  var drawbridgeCode: typeof import('../src/index.ts');
}

type Method = {
  [Name in keyof Page]: Page[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Page];

export interface WholePage {
  readonly page: OpenPage['page'];
  /** Calls a method of page code with data and returns data. A refusal is thrown as `code: message`. */
  call<Name extends Method>(
    name: Name,
    ...args: Parameters<Page[Name]>
  ): Promise<Awaited<ReturnType<Page[Name]>>>;
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
}

/** One page for a file; each `show` is a new document with new page code. */
export function wholePages(): { show: (html: string, url?: string) => Promise<WholePage> } {
  let opened: OpenPage | undefined;
  let shown = '';
  beforeAll(async () => {
    opened = await openPage();
    await opened.context.route('https://page.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html>${shown}` }),
    );
  });
  afterAll(() => opened?.close());
  return {
    async show(html, url = 'https://page.test/') {
      if (opened === undefined) throw new Error('The page opens in beforeAll: use it inside a test.');
      shown = html;
      await opened.page.goto('about:blank');
      await opened.page.goto(url);
      return withWholePage(opened.page);
    },
  };
}

export async function withWholePage(page: OpenPage['page']): Promise<WholePage> {
  await page.evaluate(`${await pageCodeBundle()};
  globalThis.drawbridgeCode = drawbridgePage;
  globalThis.wholePage = drawbridgePage.createPage({ window });`);
  return {
    page,
    call: (name, ...args) =>
      page.evaluate(
        async ([method, given]) => {
          try {
            return await Reflect.apply(wholePage[method], undefined, [...given]);
          } catch (error) {
            const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
            throw new Error(`${String(code)}: ${error instanceof Error ? error.message : String(error)}`);
          }
        },
        [name, args] as const,
      ),
    run: (work) => page.evaluate(work),
  };
}
