import { PAGE_PORT } from '../page/page-port.ts';
import { type HeldPort, holdPort } from './held-port.ts';
import { createPanelServer, type PanelServer } from './panel-server.ts';
import { pageOf } from './senders.ts';
import type { WorkerWords } from './words/en.ts';
import { openWorkerCore, type WorkerCore } from './worker-core.ts';

const AWAKE = 'awake';
const MENU = 'lend';
const WELCOME = '/welcome.html';

/**
 * The service worker. Chrome starts it for an event and may stop it at any moment: listeners are registered
 * synchronously, and wait until the storage has been read.
 */
export function startWorker(): void {
  let changed = () => {};
  const opening: Promise<WorkerCore> = openWorkerCore(() => changed(), showWords);
  const withCore = (work: (core: WorkerCore) => unknown): void =>
    void opening.then(work).catch((error: unknown) => console.warn('drawbridge:', error));

  chrome.runtime.onConnect.addListener((port) => {
    const held = holdPort(port);
    withCore((core) => {
      if (port.name === PAGE_PORT) takePage(core, held);
      else panels(core).take(held);
    });
  });
  let panelServer: PanelServer | undefined;
  const panels = (core: WorkerCore): PanelServer => {
    panelServer ??= createPanelServer(core.state, core.run, () => {
      void core.refreshFront();
      void core.probeRelay();
    });
    return panelServer;
  };
  withCore(async (core) => {
    let wasNeeded: boolean | undefined;
    changed = () => {
      panels(core).changed();
      if (core.isNeeded() === wasNeeded) return;
      wasNeeded = core.isNeeded();
      // Chrome's minimum is 30 s: https://developer.chrome.com/docs/extensions/reference/api/alarms.
      if (wasNeeded) void chrome.alarms.create(AWAKE, { periodInMinutes: 0.5 });
      else void chrome.alarms.clear(AWAKE);
    };
    changed();
    await core.refreshFront();
  });

  // Only wakes the worker: opening the core serves lent tabs again.
  chrome.alarms.onAlarm.addListener(() => {});
  chrome.runtime.onStartup.addListener(() => withCore(({ words }) => showWords(words())));

  const toggle = (tab: chrome.tabs.Tab): void => {
    const { id, windowId } = tab;
    if (id === undefined) return;
    withCore(async ({ tabs, refreshFront }) => {
      if (tabs.served(id) === undefined || tabs.served(id)?.host.problem !== undefined) await tabs.lend(id);
      else await tabs.release(id);
      await refreshFront();
    });
    // Works only within the gesture.
    chrome.sidePanel.open({ windowId }).catch(() => undefined);
  };
  chrome.action.onClicked.addListener(toggle);
  chrome.contextMenus.onClicked.addListener((_, tab) => {
    if (tab !== undefined) toggle(tab);
  });
  chrome.runtime.onInstalled.addListener(({ reason }) => {
    withCore(({ words }) => {
      chrome.contextMenus.create({ id: MENU, title: words().menu, contexts: ['page'] });
      showWords(words());
    });
    if (reason === 'install') void chrome.tabs.create({ url: chrome.runtime.getURL(WELCOME) });
  });

  chrome.tabs.onUpdated.addListener((tabId, change) =>
    withCore(({ tabs, refreshFront }) => {
      tabs.onUpdated(tabId, change);
      return refreshFront();
    }),
  );
  chrome.tabs.onActivated.addListener(({ tabId, windowId }) =>
    withCore(({ tabs, refreshFront }) => {
      tabs.onActivated(tabId, windowId);
      return refreshFront();
    }),
  );
  chrome.tabs.onAttached.addListener((tabId, { newWindowId }) =>
    withCore(({ tabs }) => tabs.onMoved(tabId, newWindowId)),
  );
  chrome.tabs.onReplaced.addListener((added, removed) =>
    withCore(({ tabs }) => tabs.onReplaced(added, removed)),
  );
  chrome.tabs.onCreated.addListener((tab) => withCore(({ tabs }) => tabs.onCreated(tab)));
  chrome.tabs.onRemoved.addListener((tabId) => withCore(({ tabs }) => tabs.onRemoved(tabId)));
}

/** Titles of the button on tabs that are not lent, and of the menu. */
function showWords({ lend, menu }: WorkerWords): void {
  chrome.action.setTitle({ title: lend }).catch(() => undefined);
  chrome.contextMenus.update(MENU, { title: menu }).catch(() => undefined);
}

/** Accepts only our page code in a lent tab: Chrome identifies the document. */
function takePage({ tabs }: WorkerCore, held: HeldPort): void {
  const page = pageOf(held.port.sender);
  const served = page && tabs.served(page.tabId);
  if (page === undefined || served === undefined) held.port.disconnect();
  else served.host.take(held, page.frameId, page.documentId);
}
