import { systemClock } from '@drawbridge/link';
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
  return {
    host,
    async run(name: string, args: unknown, origin?: string) {
      try {
        return { ok: true, value: await runPrimitive(name, args, { ...context, ...(origin && { origin }) }) };
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
