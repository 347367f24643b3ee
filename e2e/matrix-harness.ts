import type { Bridge, CallRequest, Connection } from '@drawbridge/bridge';
import { openBuiltExtension } from '@drawbridge/extension/test/built-extension';
import { singleMap } from '@drawbridge/runtime';
import { type OpenPage, openPage } from '@drawbridge/testbed';
import type { MatrixTransport } from '../scripts/gen/bridge-matrix-cells.ts';
import { answeringPerson, startBrowserHarness } from './browser-harness.ts';
import type { Answer } from './matrix-agent.ts';
import { MATRIX_MAP } from './matrix-elements.ts';
import type { PageSetup } from './matrix-page.ts';
import type { startBridges } from './matrix-server.ts';

/** A second page, connected besides the garden. */
export interface Guest {
  readonly runtime_id: string;
  readonly runtime_key: string;
  /** Ends its connection at once. Resolves when the bridge has noticed. */
  readonly cut: () => Promise<void>;
}

/** One column of the matrix: a lent garden page and an agent at its bridge. */
export interface MatrixHarness extends AsyncDisposable {
  readonly host: 'cdp' | 'extension' | 'embed' | 'direct';
  readonly testPage: string;
  readonly testPageKey: string;
  /** Targets the garden by default. */
  readonly ask: (call: CallRequest) => Promise<Answer>;
  readonly guest: () => Promise<Guest>;
}

export async function openCdpHarness(site: string): Promise<MatrixHarness> {
  const connections: Connection[] = [];
  const harness = await startBrowserHarness({
    maps: singleMap(MATRIX_MAP),
    asker: answeringPerson(() => 'deny'),
    connect: (bridge) => (receive) => {
      const connection = bridge.connectRuntime({ send: receive });
      connections.push(connection);
      return { send: connection.receive, close: connection.close };
    },
  });
  await harness.goto(`${site}/garden`);
  const [testPage] = harness.bridge.runtimes();
  const [surface] = harness.browser.surfaces();
  return {
    host: 'cdp',
    testPage: testPage?.runtime_id ?? '',
    testPageKey: testPage?.ready.runtime_key ?? '',
    ask: asking(harness.bridge),
    async guest() {
      const address = `${site}/shed?${connections.length}`;
      const there = runtimeAt(harness.bridge, address);
      await surface?.tabs?.open(address, false);
      return { ...(await there), cut: async () => connections.at(-1)?.close('The connection was cut.') };
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

/** A person's own tabs, lent by the extension to a bridge in this process. */
export async function openExtensionColumn(site: string): Promise<MatrixHarness> {
  const harness = await openBuiltExtension(
    answeringPerson(() => 'deny'),
    MATRIX_MAP,
  );
  const { bridge } = harness;
  const announced = runtimeAt(bridge, `${site}/garden`);
  await harness.lend(`${site}/garden`);
  const testPage = await announced;
  let guests = 0;
  return {
    host: 'extension',
    testPage: testPage.runtime_id,
    testPageKey: testPage.runtime_key,
    ask: asking(bridge),
    async guest() {
      const address = `${site}/shed?${++guests}`;
      const there = runtimeAt(bridge, address);
      const tab = await harness.lend(address);
      const guest = await there;
      const cut = async () => {
        const gone = runtimeGone(bridge, guest.runtime_id);
        await tab.cut();
        await gone;
      };
      return { ...guest, cut };
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

/** Returns the answer as it crosses the wire to an agent. */
function asking(bridge: Bridge): MatrixHarness['ask'] {
  let calls = 0;
  return (call) =>
    new Promise((resolve) => {
      const call_id = `call-${++calls}`;
      const connection = bridge.connectAgent({
        send: (item) => {
          if (item.type !== 'action_call_output' && item.type !== 'action_error') return;
          if (item.call_id !== call_id) return;
          resolve(item);
          connection.close();
        },
      });
      connection.receive({ type: 'action_call', call_id, ...call });
    });
}

/** The next runtime that announces itself from there. */
function runtimeAt(bridge: Bridge, address: string): Promise<{ runtime_id: string; runtime_key: string }> {
  return new Promise((resolve) => {
    const stop = bridge.watch((event) => {
      if (event.kind !== 'runtime' || event.runtime.ready.url !== address) return;
      stop();
      const { runtime_id, ready } = event.runtime;
      resolve({ runtime_id, runtime_key: ready.runtime_key ?? '' });
    });
  });
}

function runtimeGone(bridge: Bridge, runtimeId: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = bridge.watch(() => {
      if (bridge.runtimes().some(({ runtime_id }) => runtime_id === runtimeId)) return;
      stop();
      resolve();
    });
  });
}

type Column = { readonly host: 'direct' } | { readonly host: 'embed'; readonly transport: MatrixTransport };

/** Lends a page of the shared browser. The bridge is in the page too, unless the transport needs a server. */
export async function openPageHarness(
  site: string,
  column: Column,
  bridges: Awaited<ReturnType<typeof startBridges>>,
): Promise<MatrixHarness> {
  const opened: OpenPage = await openPage();
  const { page } = opened;
  await page.goto(`${site}/garden`);
  const transport = column.host === 'embed' ? column.transport : 'in-process';
  const away =
    transport === 'websocket' || transport === 'polling'
      ? bridges.open(`${transport}-${crypto.randomUUID()}`)
      : undefined;
  const server = away && { ws: away.ws, poll: away.poll, token: away.token };
  const setup: PageSetup = { ...column, ...(server && { server }) };
  if (away === undefined) await page.evaluate(() => Reflect.get(window, 'matrix').openBridge());
  const until = (id: string, is: 'there' | 'gone'): Promise<void> =>
    away === undefined
      ? page.evaluate(([one, what]) => Reflect.get(window, 'matrix').until(one, what), [id, is] as const)
      : away.agent.until(id, is);
  const testPage: string = await page.evaluate(
    (how) => Reflect.get(window, 'matrix').lend(how, 'key-garden'),
    setup,
  );
  await until(testPage, 'there');
  let guests = 0;
  return {
    host: column.host,
    testPage,
    testPageKey: 'key-garden',
    ask: (call) =>
      away === undefined
        ? page.evaluate((what) => Reflect.get(window, 'matrix').ask(what), call)
        : away.agent.ask(call),
    async guest() {
      const runtime_key = `key-guest-${++guests}`;
      const runtime_id: string = await page.evaluate(
        async ([how, key]) => {
          const frame = document.createElement('iframe');
          frame.id = key;
          frame.src = '/shed';
          const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
          document.body.append(frame);
          await loaded;
          return Reflect.get(frame.contentWindow ?? {}, 'matrix').lend(how, key);
        },
        [setup, runtime_key] as const,
      );
      await until(runtime_id, 'there');
      const cut = async () => {
        await page.evaluate((key) => {
          const frame = document.querySelector<HTMLIFrameElement>(`#${key}`);
          Reflect.get(frame?.contentWindow ?? {}, 'matrix').cut();
        }, runtime_key);
        await until(runtime_id, 'gone');
      };
      return { runtime_id, runtime_key, cut };
    },
    [Symbol.asyncDispose]: () => opened.close(),
  };
}
