import type { ChatMessage, TabSession } from '@drawbridge/protocol';
import { Options } from '../../../src/options/options.tsx';
import { openApprovalClient } from '../../../src/panel/approval/approval-client.ts';
import { openPage } from '../../../src/panel/open-page.tsx';
import { Panel } from '../../../src/panel/panel.tsx';
import type { PagePorts } from '../../../src/panel/ports.ts';
import { openSessions } from '../../../src/panel/relay-sessions.ts';
import type { ConversationState, SessionsPort } from '../../../src/panel/sessions-port.ts';
import { Welcome } from '../../../src/welcome/welcome.tsx';
import type { Pairing } from '../../../src/wire.ts';
import { createStandInWorker } from './stand-in-worker.ts';

/** The extension's pages without an extension: tests script Chrome and the worker. */
const worker = createStandInWorker();
const asked: string[] = [];
const opened: string[] = [];
const pairingListeners = new Set<() => void>();
const watchers = new Map<string, (view: ConversationState) => void>();
const talks = new Map<string, readonly ChatMessage[]>();
const renamed: string[] = [];
let pairing: Pairing | undefined;
let isSiteAllowed = true;
let latest: TabSession | undefined;

const ports: PagePorts = {
  connect: worker.connect,
  windowId: async () => 1,
  tabId: undefined,
  pairing: async () => pairing,
  onPairing(listener) {
    pairingListeners.add(listener);
    return () => pairingListeners.delete(listener);
  },
  async askForSite(url) {
    asked.push(url);
    return isSiteAllowed;
  },
  openOptions: () => void opened.push('options'),
  openTab: (url) => void opened.push(url),
  showTab: (tabId) => void opened.push(`tab ${tabId}`),
};

const viewOf = (sessionId: string): ConversationState => ({
  state: 'there',
  messages: talks.get(sessionId) ?? [],
});

let model: string | null | undefined;

const sessions: SessionsPort = {
  byDomain: async () => latest,
  rename: async (sessionId, title) => void renamed.push(`${sessionId} ${title}`),
  watch(sessionId, onView) {
    watchers.set(sessionId, onView);
    queueMicrotask(() => onView(viewOf(sessionId)));
    return { refresh: () => {}, close: () => void watchers.delete(sessionId) };
  },
  model: async () => model,
  close: () => {},
};

const standIn = {
  ...worker,
  asked,
  opened,
  renamed,
  pair(next: Pairing | undefined) {
    pairing = next;
    for (const listener of pairingListeners) listener();
  },
  allowSites(isAllowed: boolean) {
    isSiteAllowed = isAllowed;
  },
  decideBy(name: string | null) {
    model = name;
  },
  keep(session: TabSession) {
    latest = session;
  },
  say(sessionId: string, messages: readonly ChatMessage[]) {
    talks.set(sessionId, messages);
    watchers.get(sessionId)?.(viewOf(sessionId));
  },
};

export type StandIn = typeof standIn;

Object.assign(globalThis, { standIn });

const place = new URLSearchParams(location.search);
// A real relay stores the sessions itself.
const openReal = place.has('relay') ? openSessions : () => sessions;
const PAGES = {
  panel: <Panel openApprovalClient={openApprovalClient} openSessions={openReal} />,
  options: <Options />,
  welcome: <Welcome />,
};
const name = place.get('page');
openPage(
  ports,
  ({ panel }) => panel,
  name === 'options' ? PAGES.options : name === 'welcome' ? PAGES.welcome : PAGES.panel,
);
