import { systemClock } from '@drawbridge/link';
import { fillByHand, handsOf } from '../../src/call/fill-by-hand.ts';
import { createInPageHost } from '../../src/hosts/direct/in-page-host.ts';
import { createStores } from '../../src/primitives/primitive-context.ts';
import { runPrimitive } from '../../src/primitives/run-primitive.ts';

/** Runs inside the page: runtime, host and page code in one world. */
export function startDirectHarness(kind: 'direct' | 'embed') {
  const host = createInPageHost({ kind, window, runtimeKey: kind });
  const files = {
    read: async (file: { path: string } | { id: string }) =>
      'path' in file && file.path === 'notes.md' ? { path: file.path, content: 'Grüße' } : undefined,
  };
  const context = {
    host,
    clock: systemClock,
    signal: new AbortController().signal,
    stores: createStores(systemClock.now, files),
  };
  const runAny = (name: string, args: unknown, origin?: string): Promise<unknown> =>
    runPrimitive(name, args, { ...context, ...(origin && { origin }) });
  const hands = handsOf(host, location.origin, runAny);
  return {
    host,
    async run(name: string, args: unknown, origin?: string) {
      try {
        const isFill = name === 'element.fill';
        return {
          ok: true,
          value: await (isFill ? fillByHand(Object(args), hands) : runAny(name, args, origin)),
        };
      } catch (error) {
        return {
          ok: false,
          error: error instanceof Error ? JSON.parse(JSON.stringify(error)) : error,
          text: String(error),
        };
      }
    },
  };
}
