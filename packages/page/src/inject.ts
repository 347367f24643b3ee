import { createPage, type Page } from './page.ts';
import { callPage, type PageAnswer } from './page-call.ts';

/** Value of the injected script for its host. */
export interface InjectedPage {
  readonly page: Page;
  readonly call: (name: string, args?: readonly unknown[]) => Promise<PageAnswer>;
}

/** A symbol: unlisted, and without conflict with names of the page. */
const KEY = Symbol.for('drawbridge.page');

/** A second injection returns the first, so that ids stay valid. */
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
