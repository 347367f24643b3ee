import { createPage, type Page } from './page.ts';
import { callPage, type PageAnswer } from './page-call.ts';

/** What the injected script leaves for its host to find. */
export interface InjectedPage {
  readonly page: Page;
  readonly call: (name: string, args?: readonly unknown[]) => Promise<PageAnswer>;
}

/** A symbol: it is in no list of names, and in the page's own world it meets no name of the page's. */
const KEY = Symbol.for('drawbridge.page');

/** A second injection finds the first, so that every id stays what it was. */
if (!isInjected(Reflect.get(globalThis, KEY))) {
  const page = createPage({ window });
  const close = () => {
    page.close();
    Reflect.deleteProperty(globalThis, KEY);
  };
  const whole: Page = { ...page, close };
  const injected: InjectedPage = { page: whole, call: (name, args = []) => callPage(whole, name, args) };
  Object.defineProperty(globalThis, KEY, { value: injected, configurable: true });
}

function isInjected(value: unknown): value is InjectedPage {
  return typeof value === 'object' && value !== null && 'page' in value && 'call' in value;
}
