import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bridge, type CallRequest, createBridge } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type { Answer, Asker, BridgeItem, Question } from '@drawbridge/protocol';
import {
  createGrantBook,
  denyAll,
  type GrantBook,
  type LocalNetwork,
  type MapSource,
  noMaps,
  singleMap,
} from '@drawbridge/runtime';
import { type CdpBrowser, launchBrowser } from '@drawbridge/runtime/cdp';
import {
  type Connect,
  type Surfaces,
  type SurfacesOptions,
  serveSurfaces,
  surfaceScript,
} from '@drawbridge/runtime/node';
import { pageChromiumPath, SHELL_FLAGS } from '@drawbridge/testbed';

/** A browser, a bridge and runtimes between them, connected as in `drawbridge browser`. */
export interface BrowserHarness extends AsyncDisposable {
  readonly bridge: Bridge;
  readonly browser: CdpBrowser;
  readonly grants: GrantBook;
  readonly surfaces: Surfaces;
  /** Every item that a runtime sent, in order. */
  readonly answered: BridgeItem[];
  readonly call: (name: string, args?: object, more?: Partial<CallRequest>) => Promise<unknown>;
  /** Navigates and waits until the runtime has announced the page. */
  readonly goto: (url: string) => Promise<void>;
}

export interface BrowserHarnessOptions {
  readonly maps?: MapSource;
  readonly asker?: Asker;
  readonly args?: readonly string[];
  readonly handlers?: SurfacesOptions['handlers'];
  readonly storeEvidence?: SurfacesOptions['storeEvidence'];
  /** Private addresses that are open; all by default, since test sites are on loopback. */
  readonly localNetwork?: LocalNetwork;
  /** The bridge of a relay; a new one by default. */
  readonly bridge?: Bridge;
  /** Transport between runtimes and bridge; in-process by default. */
  readonly connect?: (bridge: Bridge) => Connect;
}

export async function startBrowserHarness({
  maps = noMaps,
  asker,
  args = [],
  connect = inProcess,
  handlers,
  storeEvidence,
  bridge: given,
  localNetwork = { isOpen: () => true, open: () => {}, notePrivate: () => {} },
}: BrowserHarnessOptions = {}): Promise<BrowserHarness> {
  const browser = await launchBrowser({
    executable: pageChromiumPath(),
    headless: true,
    args: [...SHELL_FLAGS, ...args],
    localNetwork,
    script: async () => (await surfaceScript()).code,
  });
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  const bridge = given ?? createBridge({ clock: systemClock, ids: () => randomUUID() });
  const grants = createGrantBook({ now: () => Date.now(), newId: randomUUID });
  const answered: BridgeItem[] = [];
  const open = connect(bridge);
  const surfaces = serveSurfaces({
    source: browser,
    connect: (receive, announce) => {
      const { send, close } = open(receive, announce);
      return {
        close,
        send: (item) => {
          answered.push(item);
          send(item);
        },
      };
    },
    maps,
    grants,
    asker: asker ?? denyAll('nobody is asked in this test'),
    evaluator,
    by: 'the test',
    ...(handlers && { handlers }),
    ...(storeEvidence && { storeEvidence }),
  });
  const call: BrowserHarness['call'] = (name, args = {}, more = {}) =>
    bridge.call({ name, arguments: { ...args }, ...more }).output;
  const announced = (url: string) =>
    new Promise<void>((resolve) => {
      const isThere = () => bridge.runtimes().some(({ ready }) => ready.url === url);
      if (isThere()) return resolve();
      const stop = bridge.watch(() => {
        if (!isThere()) return;
        stop();
        resolve();
      });
    });
  const close = async () => {
    await surfaces.close();
    if (given === undefined) bridge.close();
    await Promise.all([browser.close(), evaluator.close()]);
  };
  await announced('about:blank');
  return {
    bridge,
    browser,
    grants,
    surfaces,
    answered,
    call,
    goto: async (url) => {
      await call('browser.navigate', { url });
      await announced(url);
    },
    [Symbol.asyncDispose]: close,
  };
}

const inProcess =
  (bridge: Bridge): Connect =>
  (receive) => {
    const connection = bridge.connectRuntime({ send: receive });
    return { send: connection.receive, close: connection.close };
  };

/** The demo shop's map, rewritten for another address. */
export function shopMap(url: string): MapSource {
  const file = join(import.meta.dirname, '../maps/shop/actions.json');
  const map: object = JSON.parse(readFileSync(file, 'utf8'));
  return singleMap({ ...map, surface: { origin: url, name: 'Lantern & Oak' } });
}

/** A person who gives every question the same answer and records them. */
export function answeringPerson(
  decide: (question: Question) => Answer['decision'],
): Asker & { asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      return { decision: decide(question), call_hash: question.call_hash, by: 'the test' };
    },
  };
}
