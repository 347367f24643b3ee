import { type OpenPage, openPage, startFaultProxy } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servePageModules } from '../test/page-modules.ts';
import type { LinkState } from './link.ts';
import { serveItems } from './node/item-server.ts';

const TOKEN = 'token-of-a-page';
const COUNT = 300;

let opened: OpenPage;
let modules: Awaited<ReturnType<typeof servePageModules>>;

beforeAll(async () => {
  [opened, modules] = await Promise.all([openPage(), servePageModules()]);
  await opened.page.goto(modules.origin);
});

afterAll(async () => {
  await opened.close();
  modules.close();
});

interface Outcome {
  readonly ids: readonly string[];
  readonly states: readonly LinkState[];
  readonly problems: readonly unknown[];
}

test.each(['connectWebSocket', 'connectPolling'] as const)(
  '[BRG-106] [BRG-107] [BRG-47] %s in a real browser: a line that breaks loses, doubles and changes nothing',
  async (client) => {
    const hosts = new Set<string>();
    const came: unknown[] = [];
    await using server = await serveItems({
      hosts,
      origins: new Set([modules.origin]),
      authorize: (token) => (token === TOKEN ? 'page' : undefined),
      onConnection: (link) => {
        link.onItem((item) => {
          came.push(item.type === 'dom_event' ? item.event_id : item);
          link.send(item);
        });
      },
    });
    const cutAfterBytes = { min: 3_000, max: 30_000 };
    await using proxy = await startFaultProxy({
      target: { host: '127.0.0.1', port: server.port },
      seed: 11,
      faults: { up: { cutAfterBytes }, down: { cutAfterBytes } },
    });
    const address = `${proxy.host}:${proxy.port}`;
    hosts.add(address);
    const outcome: Outcome = await opened.page.evaluate(
      async ([name, at, token, count]) => {
        const link = Reflect.get(globalThis, 'link')[name]({
          url: name === 'connectWebSocket' ? `ws://${at}/ws/runtime` : `http://${at}/bridge/runtime/items`,
          token,
          backoff: { minMs: 10, maxMs: 100 },
        });
        const ids: string[] = [];
        const states: LinkState[] = [];
        const problems: unknown[] = [];
        link.onState((state: LinkState) => states.push(state));
        link.onProblem((problem: unknown) => problems.push(problem));
        const all = new Promise<void>((resolve) => {
          link.onItem(({ event_id }: { event_id: string }) => {
            ids.push(event_id);
            if (ids.length === count) resolve();
          });
        });
        for (let n = 0; n < count; n++) {
          const payload = 'x'.repeat(n);
          link.send({ type: 'dom_event', event_id: `e${n}`, runtime_id: 'r', name: 'n', payload });
        }
        await all;
        const outcome = JSON.parse(JSON.stringify({ ids, states, problems }));
        link.close();
        return outcome;
      },
      [client, address, TOKEN, COUNT] as const,
    );
    const wanted = Array.from({ length: COUNT }, (_, n) => `e${n}`);
    expect(came).toEqual(wanted);
    expect(outcome.ids).toEqual(wanted);
    expect(outcome.states.filter((state) => state.kind === 'open' && state.resumed).length).toBeGreaterThan(
      0,
    );
    expect(outcome.problems).toEqual([]);
  },
);
