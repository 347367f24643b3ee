import { systemClock } from '@drawbridge/link';
import { BridgeError } from '@drawbridge/protocol';
import { surfaceScript } from '../../src/bundle/runtime-bundle.ts';
import { type Dialog, DocumentLeft, type HostEvent, type SurfaceHost } from '../../src/host.ts';
import { createInput, type InputSession } from '../../src/hosts/cdp/input.ts';
import { createStores, type PrimitiveContext } from '../../src/primitives/primitive-context.ts';
import { runPrimitive } from '../../src/primitives/run-primitive.ts';
import { heldToSchema, type PrimitiveHarness, type Tab } from './primitive-harness.ts';

export interface DrivenHarness extends PrimitiveHarness {
  readonly host: SurfaceHost;
  readonly context: PrimitiveContext;
}

/** A host with trusted input, screenshots, tabs and dialogs, driven by the test browser's client. */
export async function drivenHarness(tab: Tab): Promise<DrivenHarness> {
  const { code } = await surfaceScript();
  const listeners = new Set<(event: HostEvent) => void>();
  const tell = (event: HostEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const surface = () => ({ url: tab.url(), title: '', active: true });
  await tab.evaluate(code);
  // One tab serves a whole file: the previous test's host must not receive this one's events.
  tab.removeAllListeners('domcontentloaded');
  tab.removeAllListeners('dialog');
  tab.removeAllListeners('download');
  tab.on('download', (started) => tell({ kind: 'download', url: started.url(), state: 'started' }));
  tab.on('domcontentloaded', () => {
    tell({ kind: 'left' });
    tab.evaluate(code).then(
      () => tell({ kind: 'ready', ...surface() }),
      () => undefined,
    );
  });
  const cdp = await tab.context().newCDPSession(tab);
  const session = trustSession({
    send: (method: string, params?: object) => Reflect.apply(cdp.send, cdp, [method, params]),
    on(event: string, listener: (params: unknown) => void) {
      Reflect.apply(cdp.on, cdp, [event, listener]);
      return () => Reflect.apply(cdp.off, cdp, [event, listener]);
    },
  });
  const shownDialog = () => new Promise<void>((resolve) => tab.once('dialog', () => resolve()));
  let dialog: Dialog | undefined;
  let answer: (accept: boolean, text?: string) => Promise<string> = async () => '';
  tab.on('dialog', (shown) => {
    dialog = { dialog: shown.type() as Dialog['dialog'], message: shown.message() };
    answer = async (accept, text) => {
      dialog = undefined;
      await (accept ? shown.accept(text) : shown.dismiss());
      return shown.message();
    };
    tell({ kind: 'dialog', ...dialog });
  });
  const pages = () => tab.context().pages();
  const tabInfo = (page: Tab) => ({
    tab_id: `tab-${pages().indexOf(page)}`,
    url: page.url(),
    title: '',
    active: page === tab,
  });
  const host: SurfaceHost = {
    kind: 'cdp',
    runtimeKey: 'driven',
    surface,
    async callPage(name, args) {
      const said = await tab
        .evaluate(([one, given]) => Reflect.get(globalThis, Symbol.for('drawbridge.page')).call(one, given), [
          name,
          args,
        ] as const)
        .catch((error: unknown) => {
          if (/context was destroyed|reading 'call'/.test(String(error))) throw new DocumentLeft('gone');
          throw error;
        });
      if (said.ok) return said.value;
      throw new BridgeError(said.error.code, said.error.message, { evidence: said.error.evidence });
    },
    // A press that opens a dialog is answered only when that is closed.
    input: createInput(session, (work) => Promise.race([work().then(() => {}), shownDialog()])),
    picture: async ({ format, quality }) => {
      const bytes = await tab.screenshot({
        type: format,
        ...(format === 'jpeg' && { quality: quality ?? 80 }),
      });
      return { image: bytes.toString('base64'), mime_type: `image/${format}`, width: 900, height: 700 };
    },
    tabs: {
      get own() {
        return tabInfo(tab).tab_id;
      },
      list: async () => pages().map(tabInfo),
      activate: async (id) =>
        pages()
          .find((page) => tabInfo(page).tab_id === id)
          ?.bringToFront(),
      open: async (url) => {
        const page = await tab.context().newPage();
        await page.goto(url);
        return tabInfo(page);
      },
      close: async (id) =>
        pages()
          .find((page) => tabInfo(page).tab_id === id)
          ?.close(),
      navigate: async (to) => {
        if ('url' in to) await tab.goto(to.url);
        else if ('reload' in to) await tab.reload();
        else await tab.goBack();
        return surface();
      },
    },
    dialogs: { open: () => dialog, answer: (accept, text) => answer(accept, text) },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => listeners.clear(),
  };
  const context = {
    host,
    clock: systemClock,
    signal: new AbortController().signal,
    stores: createStores(systemClock.now),
  };
  const harness = heldToSchema(tab, (name, args, origin) =>
    runPrimitive(name, args, { ...context, ...(origin !== undefined && { origin }) }),
  );
  return { ...harness, host, context };
}

/** The test browser's client types each method; ours does so too. */
function trustSession(session: unknown): InputSession {
  return session as InputSession;
}
