import { systemClock } from '@drawbridge/link';
import type { Evaluator } from '@drawbridge/manifest';
import {
  type ControlPlane,
  createOfferedAddresses,
  type GrantBook,
  type LocalNetwork,
  type MapSource,
  relayAddressRefused,
  relayTabRefused,
} from '@drawbridge/runtime';
import { SecretMemory } from '@drawbridge/runtime/parts';
import { ChromeTab, runtimeKeyOf } from '../tabs/chrome-tab.ts';
import { type Claim, cannotLend } from '../tabs/claim.ts';
import type { Camera } from '../tabs/picture.ts';
import { hideLentTab, showBadge, showLentTab } from '../tabs/tab-signs.ts';
import { createTabTools } from '../tabs/tab-tools.ts';
import type { DebuggerInput } from '../trusted/debugger-input.ts';
import type { LentTab, Pairing } from '../wire.ts';
import { endRelayLine } from './relay-connection.ts';
import { type ServedTab, serveTab } from './served-tab.ts';
import { openStoredValue, type StoredValue } from './stored-value.ts';
import { parseClaims } from './stored-values.ts';
import type { WorkerWords } from './words/en.ts';
import { personError, whyFor } from './words/worker-words.ts';

export interface LentTabsOptions {
  readonly grants: GrantBook;
  readonly maps: MapSource;
  readonly evaluator: Evaluator;
  readonly camera: Camera;
  readonly pairing: () => Pairing | null;
  readonly refusal: (url: string) => string | undefined;
  /** Pages of the relay, which are never lent. */
  readonly controlPlane: ControlPlane;
  readonly localNetwork: LocalNetwork;
  /** Undefined in a build without the debugger. */
  readonly debuggerInput: ((tabId: number) => DebuggerInput) | undefined;
  readonly words: () => WorkerWords;
  readonly onChange: () => void;
  /** A connection to the relay was lost or closed there. */
  readonly onLineLost: () => void;
  /** A tab was released or closed. */
  readonly onGone: (tabId: number, how: 'released' | 'closed') => void;
}

interface Entry {
  readonly served: ServedTab;
  doing: string | undefined;
  windowId: number;
}

/** All lent tabs. Only a person lends one (`lend`), or a call opens one from there. */
export class LentTabs {
  readonly #options: LentTabsOptions;
  readonly #claims: StoredValue<readonly Claim[]>;
  readonly #entries = new Map<number, Entry>();
  readonly #lending = new Map<number, Promise<ChromeTab>>();
  readonly #secrets = new SecretMemory();
  readonly #offered = createOfferedAddresses(systemClock);

  private constructor(options: LentTabsOptions, claims: StoredValue<readonly Claim[]>) {
    this.#options = options;
    this.#claims = claims;
  }

  /** Restores tabs that were lent when the worker was stopped and still exist. */
  static async open(options: LentTabsOptions): Promise<LentTabs> {
    const claims = await openStoredValue('session', 'claims', parseClaims);
    const tabs = new LentTabs(options, claims);
    const there = await Promise.all(
      claims.get().map(async (claim) => {
        const tab = await chrome.tabs.get(claim.tabId).catch(() => undefined);
        const isThere = tab !== undefined && !options.controlPlane.has(tab.url ?? '');
        if (!isThere) tabs.#bury(claim);
        return isThere ? { claim, tab } : undefined;
      }),
    );
    const found = there.flatMap((each) => each ?? []);
    if (found.length < claims.get().length) await claims.set(found.map(({ claim }) => claim));
    for (const { claim, tab } of found) tabs.#serve(claim, tab);
    options.controlPlane.onChange(() => {
      for (const host of tabs.hosts()) host.checkAddress();
    });
    return tabs;
  }

  hosts(): ChromeTab[] {
    return [...this.#entries.values()].map(({ served }) => served.host);
  }

  served(tabId: number): ServedTab | undefined {
    return this.#entries.get(tabId)?.served;
  }

  all(): ServedTab[] {
    return [...this.#entries.values()].map(({ served }) => served);
  }

  view(): LentTab[] {
    return [...this.#entries.values()].map(({ served: { claim, host, line }, doing, windowId }) => {
      const { url, title } = host.surface();
      const { problem } = host;
      const { words } = this.#options;
      return {
        ...{ tabId: claim.tabId, windowId, runtimeKey: host.runtimeKey, title, url },
        ...{ lentAt: claim.lentAt, trusted: claim.trusted, questions: line()?.questions() ?? [] },
        ...(doing !== undefined && { doing }),
        ...(problem !== undefined && { problem: whyFor(words(), problem) }),
      };
    });
  }

  /** Called on a person's action only. Lending again changes only the trusted input. */
  async lend(
    tabId: number,
    wish: { readonly trusted?: boolean; readonly by?: Claim['by'] } = {},
  ): Promise<ChromeTab> {
    const known = this.#entries.get(tabId);
    const { trusted = known?.served.claim.trusted ?? false, by = 'person' } = wish;
    if (known !== undefined && known.served.claim.trusted === trusted) {
      await known.served.host.reach();
      return known.served.host;
    }
    if (known !== undefined) await this.release(tabId);
    const lending = this.#lending.get(tabId) ?? this.#lend(tabId, trusted, by);
    this.#lending.set(tabId, lending);
    return lending.finally(() => this.#lending.delete(tabId));
  }

  async release(tabId: number): Promise<void> {
    const entry = await this.#forget(tabId, 'released');
    if (entry === undefined) return;
    await entry.served.close();
    await Promise.all([entry.served.host.close(), hideLentTab(tabId, this.#options.words())]);
  }

  /** Called when the relay has changed. */
  async connectAll(): Promise<void> {
    await Promise.all(this.all().map((served) => served.connect(this.#options.pairing())));
  }

  /** Reopens connections that the relay had closed. */
  async reconnect(): Promise<void> {
    const closed = this.all().filter((served) => served.line()?.state().kind === 'closed');
    await Promise.all(closed.map((served) => served.connect(this.#options.pairing())));
  }

  /** Called when the language has changed. */
  async rename(): Promise<void> {
    const { words } = this.#options;
    await Promise.all(this.hosts().map(({ tabId }) => showBadge(tabId, words()).catch(() => undefined)));
  }

  // Chrome's tab events.

  onUpdated(tabId: number, change: chrome.tabs.OnUpdatedInfo): void {
    const entry = this.#entries.get(tabId);
    if (entry === undefined) return;
    const { host } = entry.served;
    host.updated(change);
    // With page code present, `onReach` shows it.
    if (change.status === 'complete' && host.problem !== undefined)
      void showBadge(tabId, this.#options.words()).catch(() => undefined);
    this.#options.onChange();
  }

  onActivated(tabId: number, windowId: number): void {
    for (const { served, windowId: at } of this.#entries.values())
      if (at === windowId) served.host.activated(served.claim.tabId === tabId);
    this.#options.onChange();
  }

  onMoved(tabId: number, windowId: number): void {
    const entry = this.#entries.get(tabId);
    if (entry !== undefined) entry.windowId = windowId;
    this.#options.onChange();
  }

  /** Chrome may swap the page of a tab under a new id, for example a prerendered one. */
  async onReplaced(added: number, removed: number): Promise<void> {
    const entry = this.#entries.get(removed);
    if (entry === undefined) return;
    const { trusted, by } = entry.served.claim;
    this.onRemoved(removed);
    await this.lend(added, { trusted, by });
  }

  onCreated({ openerTabId }: chrome.tabs.Tab): void {
    if (openerTabId !== undefined) this.#entries.get(openerTabId)?.served.host.opens();
  }

  onRemoved(tabId: number): void {
    void this.#forget(tabId, 'closed').then(async (entry) => {
      entry?.served.host.end('the tab was closed');
      await entry?.served.close();
    });
  }

  async #lend(tabId: number, trusted: boolean, by: Claim['by']): Promise<ChromeTab> {
    const tab = await chrome.tabs.get(tabId);
    const { url = '' } = tab;
    const { controlPlane, localNetwork } = this.#options;
    const why = by === 'person' ? cannotLend(url, controlPlane) : undefined;
    if (why !== undefined) throw personError('permission_denied', why);
    if (controlPlane.has(url)) throw relayAddressRefused();
    if (by === 'person' && this.#options.refusal(url) !== undefined)
      throw personError('permission_denied', 'site_rule', new URL(url).origin);
    if (trusted && this.#options.debuggerInput === undefined)
      throw personError('capability_unavailable', 'no_debugger');
    const claim: Claim = {
      tabId,
      runtimeId: `runtime-${crypto.randomUUID()}`,
      authorizationId: this.#options.grants.lend(runtimeKeyOf(tabId), LENDER[by]),
      lentAt: Date.now(),
      trusted,
      by,
    };
    await this.#claims.set([...this.#claims.get().filter((each) => each.tabId !== tabId), claim]);
    const { host } = this.#serve(claim, tab);
    await Promise.all([host.ready().catch(() => undefined), showLentTab(tabId, this.#options.words())]);
    if (host.isForbidden) {
      if (by === 'person') throw personError('permission_denied', 'control_plane');
      // Opened by the agent, which may not have it.
      await chrome.tabs.remove(tabId).catch(() => undefined);
      throw relayTabRefused();
    }
    if (by === 'person') localNetwork.open(url);
    if (by === 'person' && host.problem !== undefined) {
      const { problem } = host;
      await this.release(tabId);
      throw problem;
    }
    return host;
  }

  #serve(claim: Claim, { active, url = '', title = '', windowId }: chrome.tabs.Tab): ServedTab {
    const { grants, maps, evaluator, camera, refusal, debuggerInput, words, onChange, onLineLost, pairing } =
      this.#options;
    const { controlPlane, localNetwork } = this.#options;
    const { tabId, trusted } = claim;
    const host = new ChromeTab({
      tabId,
      surface: { url, title, active },
      camera,
      tabs: (own) =>
        createTabTools(
          { lent: () => this.hosts(), opened: (id) => this.lend(id, { by: 'agent' }), refusal, controlPlane },
          own,
        ),
      refusal,
      controlPlane,
      localNetwork,
      secrets: this.#secrets,
      onForbidden: () => void this.release(tabId),
      ...(trusted && debuggerInput && { trusted: debuggerInput(tabId) }),
      isAwaited: () => entry.doing !== undefined,
      onReach: () => {
        void showBadge(tabId, words()).catch(() => undefined);
        void host.showLent(entry.doing !== undefined);
        onChange();
      },
    });
    const served = serveTab({
      claim,
      host,
      maps,
      grants,
      evaluator,
      controlPlane,
      localNetwork,
      offered: this.#offered,
      onLine: (state) => {
        if (state.kind === 'waiting' || (state.kind === 'closed' && state.reason !== 'closed_here'))
          onLineLost();
        onChange();
      },
      onQuestions: onChange,
      onDoing: (doing) => {
        if (entry.doing === doing) return;
        const wasBusy = entry.doing !== undefined;
        entry.doing = doing;
        if (wasBusy !== (doing !== undefined)) void host.showLent(doing !== undefined);
        onChange();
      },
    });
    const entry: Entry = { served, doing: undefined, windowId };
    this.#entries.set(tabId, entry);
    void host.reach();
    void served.connect(pairing());
    onChange();
    return served;
  }

  /** Closed while no worker ran. */
  #bury({ tabId, runtimeId, authorizationId }: Claim): void {
    const { grants, pairing, onGone } = this.#options;
    grants.revoke(authorizationId);
    const paired = pairing();
    if (paired !== null) void endRelayLine(paired, tabId, runtimeId);
    // Deferred: the listener is still being created.
    queueMicrotask(() => onGone(tabId, 'closed'));
  }

  async #forget(tabId: number, how: 'released' | 'closed'): Promise<Entry | undefined> {
    const entry = this.#entries.get(tabId);
    if (entry === undefined) return undefined;
    this.#entries.delete(tabId);
    if (this.#entries.size === 0) this.#secrets.clear();
    this.#options.grants.revoke(entry.served.claim.authorizationId);
    await this.#claims.set(this.#claims.get().filter((claim) => claim.tabId !== tabId));
    this.#options.onGone(tabId, how);
    this.#options.onChange();
    return entry;
  }
}

const LENDER = { person: 'the person at this browser', agent: 'a tab that the person lent' } as const;
