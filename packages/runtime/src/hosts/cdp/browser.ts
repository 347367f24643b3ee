import { BridgeError } from '@drawbridge/protocol';
import { type ControlPlane, createControlPlane, relayAddressRefused } from '../../address/control-plane.ts';
import { createLocalNetwork, type LocalNetwork } from '../../address/local-network.ts';
import type { SurfaceHost } from '../../host.ts';
import { SecretMemory } from '../secret-memory.ts';
import { type BrowserFiles, createBrowserFiles } from './browser-files.ts';
import type { PermitClipboard } from './clipboard.ts';
import { createClipboardPermits } from './clipboard-permits.ts';
import type { EventParams } from './connection.ts';
import { Connection } from './connection.ts';
import { createDownloadQuota, type DownloadLimits } from './download-quota.ts';
import { listenForDownloads } from './downloads.ts';
import { rethrow } from './isolated-world.ts';
import { CdpSurface } from './surface.ts';
import { createTabs, type TabShelf } from './tabs.ts';
import type { Wire } from './wire.ts';

export type SurfaceChange =
  | { readonly kind: 'added'; readonly surface: SurfaceHost }
  | { readonly kind: 'removed'; readonly surface: SurfaceHost; readonly reason: string };

export interface BrowserOptions {
  readonly wire: Wire;
  readonly script: () => Promise<string>;
  /** `all`: every tab is lent. `one_by_one`: only tabs that `lend` names, and those that we open. */
  readonly lending: 'all' | 'one_by_one';
  /** Target types that count as tabs: on request also frames of other sites and an editor's webviews. */
  readonly kinds?: readonly TargetKind[];
  /** The download folder; the browser's default when absent. */
  readonly downloads?: string;
  readonly downloadLimits?: DownloadLimits;
  /** Folders of this machine whose files an agent may upload by path. */
  readonly uploadFolders?: readonly string[];
  readonly end?: () => Promise<void>;
  /** Pages of the relay are never a surface. */
  readonly controlPlane?: ControlPlane;
  /** Private addresses that a person opened; those of tabs that `lend` names are added. */
  readonly localNetwork?: LocalNetwork;
}

export type TargetKind = 'page' | 'iframe' | 'webview';

export interface KnownTab {
  readonly target_id: string;
  readonly kind: string;
  readonly url: string;
  readonly title: string;
  readonly lent: boolean;
}

/** A browser over CDP, with a surface for each lent tab. */
export class CdpBrowser {
  readonly controlPlane: ControlPlane;
  readonly localNetwork: LocalNetwork;
  readonly #options: BrowserOptions;
  readonly #connection: Connection;
  readonly #targets = new Map<string, TargetInfo>();
  readonly #surfaces = new Map<string, CdpSurface>();
  readonly #listeners = new Set<(change: SurfaceChange) => void>();
  readonly #lending = new Map<string, Promise<CdpSurface>>();
  /** Tabs that we opened and whose surface is not ready yet. */
  readonly #arrivals = new Map<string, Arrival>();
  readonly #shelf: TabShelf;
  readonly #permitClipboard: PermitClipboard;
  /** Tabs that navigated to the relay; they are not lent again when the browser reattaches. */
  readonly #letGo = new Set<string>();
  readonly #secrets = new SecretMemory();
  readonly #files: BrowserFiles;
  #script = '';
  #active: string | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: BrowserOptions) {
    this.#options = options;
    this.#files = createBrowserFiles({ folders: options.uploadFolders ?? [], secrets: this.#secrets });
    this.controlPlane = options.controlPlane ?? createControlPlane();
    this.localNetwork = options.localNetwork ?? createLocalNetwork();
    this.controlPlane.onChange(() => {
      for (const surface of this.#surfaces.values()) surface.checkAddress();
    });
    this.#connection = new Connection(options.wire);
    this.#permitClipboard = createClipboardPermits(this.#connection.browser);
    this.#shelf = {
      browser: this.#connection.browser,
      lent: () => [...this.#surfaces.values()],
      opened: (targetId) => this.#opened(targetId),
      isForbidden: this.controlPlane.has,
      activated: (targetId) => {
        this.#active = targetId;
      },
    };
  }

  static async open(options: BrowserOptions): Promise<CdpBrowser> {
    const opened = new CdpBrowser(options);
    try {
      await opened.#start();
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }

  surfaces(): readonly SurfaceHost[] {
    return [...this.#surfaces.values()];
  }

  /** Whether a tab is or will be lent: a launched browser lends every tab that opens in it. */
  hasTabs(): boolean {
    return this.#surfaces.size > 0 || (this.#options.lending === 'all' && this.#targets.size > 0);
  }

  onSurface(listener: (change: SurfaceChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every tab, for the person who lends. Agents never see this list. */
  knownTabs(): readonly KnownTab[] {
    return [...this.#targets.values()].map(({ targetId, type, url, title }) => ({
      target_id: targetId,
      kind: type,
      url,
      title,
      lent: this.#surfaces.has(targetId),
    }));
  }

  /** Lends one tab; lending it again returns the same surface. Closing the surface gives the tab back. */
  async lend(targetId: string): Promise<SurfaceHost> {
    const known = this.#surfaces.get(targetId);
    if (known !== undefined) return known;
    const target = this.#targets.get(targetId);
    if (target === undefined) throw unknownTab(targetId);
    if (this.controlPlane.has(target.url)) throw relayAddressRefused();
    this.#letGo.delete(targetId);
    this.localNetwork.open(target.url);
    const lending = this.#lending.get(targetId) ?? this.#lend(targetId);
    this.#lending.set(targetId, lending);
    return lending.finally(() => this.#lending.delete(targetId)).catch(rethrow);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #start(): Promise<void> {
    const { lending, script, downloads, kinds = ['page'] } = this.#options;
    const { browser } = this.#connection;
    this.#script = await script();
    browser.on('Target.targetCreated', ({ targetInfo }) => this.#onTarget(targetInfo));
    browser.on('Target.targetInfoChanged', ({ targetInfo }) => this.#onTarget(targetInfo));
    browser.on('Target.targetDestroyed', ({ targetId }) => this.#onGone(targetId, 'the tab was closed'));
    browser.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (lending !== 'all') return;
      const { targetId, url } = targetInfo;
      if (this.controlPlane.has(url)) this.#letGo.add(targetId);
      if (this.#letGo.has(targetId)) return this.#decline(sessionId);
      this.#add(sessionId, targetId).catch((error: unknown) => this.#arrivals.get(targetId)?.reject(error));
    });
    browser.on('Target.detachedFromTarget', ({ targetId }) => {
      if (targetId !== undefined) this.#onGone(targetId, 'the browser let go of the tab');
    });
    this.#connection.onEnd((reason) => {
      this.#targets.clear();
      for (const targetId of [...this.#surfaces.keys()]) this.#onGone(targetId, reason);
    });
    listenForDownloads(
      browser,
      createDownloadQuota(this.#options.downloadLimits),
      this.#files,
      (frameId, event) =>
        [...this.#surfaces.values()].some((surface) => surface.recordDownload(frameId, event)),
    );
    const filter = kinds.map((type) => ({ type }));
    await Promise.all([
      browser.send('Target.setDiscoverTargets', { discover: true, filter }),
      browser.send('Browser.setDownloadBehavior', {
        behavior: downloads === undefined ? 'default' : 'allow',
        ...(downloads !== undefined && { downloadPath: downloads }),
        eventsEnabled: true,
      }),
      // Paused until page code is injected: a tab opened by a page is ours before its first script runs.
      lending === 'all' &&
        browser.send('Target.setAutoAttach', {
          autoAttach: true,
          waitForDebuggerOnStart: true,
          flatten: true,
          filter,
        }),
    ]);
  }

  /** A launched browser lends another tab instead, so that one redirect to the relay does not end the task. */
  #onForbidden(targetId: string): void {
    this.#letGo.add(targetId);
    if (this.#options.lending !== 'all' || this.#surfaces.size > 0 || this.#closing !== undefined) return;
    this.#connection.browser.send('Target.createTarget', { url: 'about:blank' }).catch(() => undefined);
  }

  /** Resumes a paused tab that is not lent, which would hang otherwise. */
  #decline(sessionId: string): void {
    const run = this.#connection.session(sessionId).send('Runtime.runIfWaitingForDebugger');
    const detach = () => this.#connection.browser.send('Target.detachFromTarget', { sessionId });
    void run.then(detach, detach).catch(() => undefined);
  }

  #onTarget(info: TargetInfo): void {
    if (info.url.startsWith('devtools:')) return;
    this.#targets.set(info.targetId, info);
    this.#active ??= info.targetId;
  }

  async #lend(targetId: string): Promise<CdpSurface> {
    const { sessionId } = await this.#connection.browser.send('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const surface = await this.#add(sessionId, targetId);
    try {
      await surface.ready();
    } catch (error) {
      // A tab that cannot be set up is not lent.
      await surface.close();
      throw error;
    }
    return surface;
  }

  async #add(sessionId: string, targetId: string): Promise<CdpSurface> {
    const known = this.#surfaces.get(targetId);
    if (known !== undefined) return known;
    const surface = new CdpSurface({
      connection: this.#connection,
      session: this.#connection.session(sessionId),
      targetId,
      script: this.#script,
      isActive: () => this.#active === targetId,
      tabs: (own) => createTabs(this.#shelf, own),
      controlPlane: this.controlPlane,
      localNetwork: this.localNetwork,
      secrets: this.#secrets,
      files: this.#files,
      onForbidden: () => this.#onForbidden(targetId),
      // A person's own browser keeps its permissions.
      ...(this.#options.lending === 'all' && {
        permitClipboard: this.#permitClipboard,
      }),
    });
    this.#surfaces.set(targetId, surface);
    surface.onEvent((event) => {
      if (event.kind === 'closed') this.#remove(targetId, event.reason);
    });
    await surface.attach();
    this.#arrivals.get(targetId)?.resolve(surface);
    if (this.#surfaces.get(targetId) === surface) this.#notify({ kind: 'added', surface });
    return surface;
  }

  #opened(targetId: string): Promise<CdpSurface> {
    const known = this.#surfaces.get(targetId);
    if (known !== undefined) return Promise.resolve(known);
    if (this.#options.lending === 'one_by_one') return this.#lend(targetId);
    const arrived = new Promise<CdpSurface>((resolve, reject) => {
      this.#arrivals.set(targetId, { resolve, reject });
    });
    return arrived.finally(() => this.#arrivals.delete(targetId));
  }

  #onGone(targetId: string, reason: string): void {
    this.#targets.delete(targetId);
    if (this.#active === targetId) this.#active = undefined;
    this.#arrivals.get(targetId)?.reject(unknownTab(targetId));
    this.#surfaces.get(targetId)?.end(reason);
  }

  #remove(targetId: string, reason: string): void {
    const surface = this.#surfaces.get(targetId);
    if (surface === undefined) return;
    this.#surfaces.delete(targetId);
    if (this.#surfaces.size === 0) this.#secrets.clear();
    this.#notify({ kind: 'removed', surface, reason });
  }

  #notify(change: SurfaceChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  async #end(): Promise<void> {
    if (this.#options.lending === 'one_by_one') {
      await Promise.all([...this.#surfaces.values()].map((surface) => surface.close()));
    }
    this.#connection.close();
    await this.#options.end?.();
  }
}

function unknownTab(targetId: string): BridgeError {
  const message = `The browser has no tab ${targetId}. Ask for its tabs again.`;
  return new BridgeError('target_not_found', message, { evidence: { target_id: targetId } });
}

interface Arrival {
  readonly resolve: (surface: CdpSurface) => void;
  readonly reject: (error: unknown) => void;
}

type TargetInfo = EventParams<'Target.targetCreated'>['targetInfo'];
