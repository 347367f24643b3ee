import { BridgeError } from '@drawbridge/protocol';
import type { OpenPage } from '@drawbridge/testbed';
import { surfaceScript } from '../../src/bundle/runtime-bundle.ts';
import type { SurfaceHost } from '../../src/host.ts';

type Page = OpenPage['page'];

type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly message: string } };

/** A read-only host over a test page with the real page code. */
export async function hostOf(page: Page): Promise<SurfaceHost> {
  const { code } = await surfaceScript();
  await page.evaluate(code);
  const [url, title] = [page.url(), await page.title()];
  return {
    kind: 'cdp',
    runtimeKey: 'test',
    surface: () => ({ url, title, active: true }),
    async callPage(name, args) {
      const answer: Answer = await page.evaluate(
        ([method, given]) =>
          Reflect.get(globalThis, Symbol.for('drawbridge.page')).call(method, given) as Promise<Answer>,
        [name, args] as const,
      );
      if (answer.ok) return answer.value;
      throw new BridgeError('handler_failed', answer.error.message);
    },
    onEvent: () => () => {},
    close: async () => {},
  };
}
