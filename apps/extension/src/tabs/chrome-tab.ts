import { BridgeError } from '@drawbridge/protocol';
import {
  type ControlPlane,
  closedFrameRefused,
  type Dialogs,
  DocumentLeft,
  type HostEvent,
  type LocalNetwork,
  type Picture,
  type PictureOptions,
  type Surface,
  type SurfaceHost,
  type Tabs,
  type TrustedInput,
} from '@drawbridge/runtime';
import {
  cancellable,
  createInterruption,
  createJoinedPage,
  type Destination,
  dialogOpen,
  ENDS_PRESS,
  type InspectionLog,
  isDialogOpen,
  type JoinedPage,
  NAMES_REACHED,
  outsideInput,
  type PageFrame,
  reachedElement,
  type SecretMemory,
  type SettledDocument,
  soon,
  stillLoading,
  TabState,
  withClosedFrames,
} from '@drawbridge/runtime/parts';
import type { DebuggerInput } from '../trusted/debugger-input.ts';
import type { HeldPort } from '../worker/held-port.ts';
import { isUnreachable } from './document-call.ts';
import { goTo } from './going.ts';
import type { Camera } from './picture.ts';
import { type TabDocument, TabFrames } from './tab-frames.ts';

export interface ChromeTabOptions {
  readonly tabId: number;
  readonly surface: Surface;
  readonly camera: Camera;
  readonly tabs: (own: number) => Tabs;
  /** The person's rule that forbids this address; undefined if allowed. */
  readonly refusal: (url: string) => string | undefined;
  /** Pages of the relay: a tab that goes there is released. */
  readonly controlPlane: Pick<ControlPlane, 'has'>;
  readonly onForbidden: () => void;
  readonly localNetwork: Pick<LocalNetwork, 'isOpen'>;
  readonly secrets: SecretMemory;
  /** A call runs in the tab: its next document is entered at once. */
  readonly isAwaited: () => boolean;
  /** Trusted input, if the person has allowed it. */
  readonly trusted?: DebuggerInput;
  /** Called when the page becomes reachable or unreachable. */
  readonly onReach: () => void;
}

const LOADING_LIMIT_MS = 15_000;
const AGAIN_MS = 250;
/** Calls to all frames at once, after looking for new frames. */
const WHOLE: ReadonlySet<string> = new Set([
  'snapshot',
  'delta',
  'read',
  'find',
  'installMasks',
  'act.element_context',
  'act.offered_addresses',
]);

export const runtimeKeyOf = (tabId: number): string => `chrome-tab:${tabId}`;

/** One lent tab of this Chrome. */
export class ChromeTab implements SurfaceHost {
  readonly kind = 'extension';
  readonly tabId: number;
  readonly runtimeKey: string;
  readonly tabs: Tabs;
  readonly input?: TrustedInput;
  readonly dialogs?: Dialogs;
  readonly inspection?: InspectionLog;
  readonly #options: ChromeTabOptions;
  readonly #state: TabState<TabDocument>;
  readonly #frames: TabFrames;
  readonly #departures = createInterruption();
  readonly #asked = createInterruption();
  #joined: JoinedPage;
  readonly #secrets: SecretMemory;
  #active: boolean;
  #problem: BridgeError | undefined;
  #isForbidden = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ChromeTabOptions) {
    const { tabId, surface } = options;
    this.#options = options;
    this.#joined = this.#join();
    this.tabId = tabId;
    this.#secrets = options.secrets;
    this.runtimeKey = runtimeKeyOf(tabId);
    this.tabs = options.tabs(tabId);
    if (options.trusted !== undefined) {
      this.input = outsideInput(
        options.trusted.input((work) => this.#taken(work)),
        () => this.#frames.refused().length > 0,
        (target) => this.callPage('act.element_context', [target]),
      );
      this.dialogs = options.trusted.dialogs;
      this.inspection = options.trusted.inspection({
        url: () => this.surface().url,
        isRefused: (url) => this.#isRuledOut(url) || !options.localNetwork.isOpen(url),
        mask: (text) => this.#secrets.mask(text),
      });
      options.trusted.onOpening(() => this.#state.emit({ kind: 'opening' }));
      options.trusted.onDialog(
        (dialog) => {
          this.#asked.interrupt(dialogOpen(dialog));
          this.#state.emit({ kind: 'dialog', ...dialog });
        },
        () => this.#secrets.holdsAny,
      );
    }
    this.#active = surface.active;
    this.#state = new TabState<TabDocument>(() => this.#active, {
      has: options.controlPlane.has,
      onReached: () => void this.#forbid(),
    });
    this.#state.moved(surface);
    this.#frames = new TabFrames({
      tabId,
      isRefused: (url) => this.#isRuledOut(url) || !options.localNetwork.isOpen(url),
      isAwaited: options.isAwaited,
      onDocument: (document) => void this.#begin(document),
      onLeft: () => {
        this.#state.left();
        this.#departures.interrupt(new DocumentLeft('The document has left.'));
        void this.reach();
      },
      onNotice: (notice) => {
        if (notice.type === 'secrets') this.#secrets.receive(notice);
        else this.#state.emit({ kind: 'notice', notice });
      },
      carried: (origin) => this.#secrets.carried(origin),
      onLocation: (location) => this.#state.moved(location),
    });
  }

  surface = (): Surface => this.#state.surface();

  onEvent = (listener: (event: HostEvent) => void): (() => void) => this.#state.onEvent(listener);

  callPage = (name: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> => {
    const called = this.#usable(async () => {
      const answer = await this.#joined.call(await this.#pages(WHOLE.has(name)), name, args);
      if (NAMES_REACHED.has(name)) this.#requireOutside(answer);
      const closed = this.#frames.refused().filter((origin) => !this.#isRuledOut(origin));
      return withClosedFrames(name, answer, closed);
    });
    // Also when the document has left and no page code answers.
    if (ENDS_PRESS.has(name)) {
      const lower = () => void this.#options.trusted?.shield.lower(String(args[0])).catch(() => undefined);
      called.then(lower, lower);
    }
    return signal === undefined ? called : cancellable(called, name, signal);
  };

  picture = (options: PictureOptions): Promise<Picture> =>
    this.#usable(async () => {
      const pages = await this.#pages(true);
      const before = this.#frames.main;
      try {
        // No picture is taken if one frame cannot be covered.
        await Promise.all([
          this.#frames.coverOthers(),
          ...pages.map((page) => soon(page, page.call('installMasks', []))),
        ]);
        if (!(await this.#frames.arePainted())) throw uncovered();
        const picture = await this.#options.camera.capture(this.tabId, options);
        if (this.#frames.main !== before) throw new DocumentLeft('The document left under the camera.');
        return picture;
      } finally {
        await Promise.allSettled([
          this.#frames.uncover(),
          ...pages.map((page) => soon(page, page.call('removeMasks', []))),
        ]);
      }
    });

  navigate(to: Destination): Promise<Surface> {
    return goTo(
      this.tabId,
      to,
      this.#state,
      () => this.#problem,
      (url) => this.#requireRuledIn(url),
    );
  }

  /** Injects page code where it is missing. */
  async reach(): Promise<void> {
    if (this.#state.phase.kind === 'closed') return;
    try {
      await this.#frames.reach();
      this.#become(undefined);
    } catch (error) {
      if (isUnreachable(error)) this.#become(error);
      // Between two documents: Chrome does not always report the next one.
      else this.#again ??= setTimeout(() => this.#reachAgain(), AGAIN_MS);
    }
  }

  #reachAgain(): void {
    this.#again = undefined;
    if (this.#state.phase.kind === 'loading') void this.reach();
  }

  /** Resolves when the document has page code, or cannot be reached. */
  async ready(): Promise<void> {
    await this.reach();
    const isSettled = () => this.#state.phase.kind !== 'loading' || this.#problem !== undefined;
    await this.#state.until(isSettled, LOADING_LIMIT_MS, stillLoading);
  }

  get problem(): BridgeError | undefined {
    return this.#problem;
  }

  /** True once the tab went to a page of the relay. */
  get isForbidden(): boolean {
    return this.#isForbidden;
  }

  /** Called when the relay has new names: the tab may be at one of them. */
  checkAddress(): void {
    this.#state.refuses();
  }

  async #forbid(): Promise<void> {
    this.#isForbidden = true;
    await Promise.allSettled([
      Promise.resolve().then(() => this.#frames.end()),
      this.#options.trusted?.close(),
    ]);
    this.#options.onForbidden();
  }

  /** Accepts the port of a document in this tab. */
  take(held: HeldPort, frameId: number, documentId: string): void {
    this.#frames.take(held, { tabId: this.tabId, frameId, documentId });
  }

  /** Chrome reports a tab that was opened from this one. With the debugger, the page's own call is known sooner. */
  opens(): void {
    if (this.input === undefined) this.#state.emit({ kind: 'opening' });
  }

  /**
   * Handles Chrome's tab updates. A changed address does not tell whether the document stays, so page code is
   * asked.
   */
  updated(change: chrome.tabs.OnUpdatedInfo): void {
    if (change.url !== undefined && this.#options.controlPlane.has(change.url)) this.#state.forbid();
    if (change.status !== undefined) void this.reach();
    const { main } = this.#frames;
    if (main === undefined || (change.url === undefined && change.title === undefined)) return;
    this.#frames.ask(main, 'settled').then(
      (place) => {
        if (this.#frames.main === main) this.#state.moved(trustPlaceOf(place));
      },
      () => undefined,
    );
  }

  /** BRG-68: being active is part of the report. */
  activated(isActive: boolean): void {
    if (this.#active === isActive) return;
    this.#active = isActive;
    if (this.#state.phase.kind === 'ready') this.#state.emit({ kind: 'moved', ...this.surface() });
  }

  /** Highlights an element for a person. */
  async point(id: string): Promise<boolean> {
    const pages = await this.#pages(false);
    const page = pages.find(({ prefix }) => prefix !== '' && id.startsWith(prefix)) ?? pages[0];
    return Number(await page.call('installMarks', [[{ i: id }]])) > 0;
  }

  async unpoint(): Promise<void> {
    const pages = await this.#pages(false);
    await Promise.allSettled(pages.map((page) => page.call('removeMarks', [])));
  }

  /** Shows the border of a lent page; thicker during an action. */
  async showLent(doing: boolean): Promise<void> {
    const { main } = this.#frames;
    if (main !== undefined) await this.#frames.ask(main, 'lent', [doing]).catch(() => undefined);
  }

  /** Called when the tab was closed. */
  end(reason: string): void {
    this.#state.closed(reason);
    void this.#options.trusted?.close();
  }

  /** Removes everything of ours from the page and releases the tab, which stays open. */
  close = async (): Promise<void> => {
    if (this.#state.phase.kind === 'closed') return;
    this.#state.closed('it was given back');
    await Promise.allSettled([this.#frames.end(), this.#options.trusted?.close()]);
  };

  #become(problem: BridgeError | undefined): void {
    const isNew = this.#problem?.message !== problem?.message;
    this.#problem = problem;
    if (!isNew) return;
    this.#options.onReach();
    // Waiting for a document would never end: each call fails with the reason.
    if (problem !== undefined && this.#state.phase.kind !== 'ready')
      this.#state.emit({ kind: 'ready', ...this.surface() });
    // Wakes waiters for a state change.
    this.#state.moved({});
  }

  async #begin(document: TabDocument): Promise<void> {
    this.#joined = this.#join();
    this.#state.began(document.documentId);
    try {
      await this.#frames.start(document, '');
      document.prefix = '';
      const place = trustPlaceOf(await this.#frames.ask(document, 'settled'));
      if (this.#frames.main !== document) return;
      this.#become(undefined);
      this.#state.ready(document, place);
      this.#options.onReach();
    } catch {
      // Gone before it was ready: the next document starts over.
    }
  }

  #join() {
    const { trusted } = this.#options;
    // Without the debugger, page code presses in whatever tab.
    if (trusted === undefined) return createJoinedPage(() => this.surface().url);
    return createJoinedPage(() => this.surface().url, trusted.shield, {
      // Chrome mostly routes it to a tab behind, too: only a press that missed brings the tab forward.
      isActive: () => true,
      activate: () => this.tabs.activate(String(this.tabId)),
    });
  }

  async #usable<T>(work: () => Promise<T>): Promise<T> {
    this.#state.requireUsable();
    this.#requireRuledIn(this.surface().url);
    const dialog = this.dialogs?.open();
    if (dialog !== undefined) throw dialogOpen(dialog);
    return this.#state.calls.guard(this.#asked.guard(work()));
  }

  async #pages(whole: boolean): Promise<readonly [PageFrame, ...PageFrame[]]> {
    const isSettled = () => this.#state.phase.kind !== 'loading' || this.#problem !== undefined;
    if (!isSettled()) {
      this.#frames.settleNow();
      await this.#state.until(isSettled, LOADING_LIMIT_MS, stillLoading);
    }
    if (this.#state.phase.kind !== 'ready') throw this.#problem ?? stillLoading();
    if (whole || this.#frames.hasOpened()) await this.#frames.reach().catch(() => undefined);
    const [main, ...inner] = this.#frames.pages();
    if (main === undefined || main.prefix !== '') throw new DocumentLeft('The document has left.');
    return [main, ...inner];
  }

  /**
   * Page code reports a point in a frame that it cannot read. Where a rule closes a frame, it may be that
   * one.
   */
  #requireOutside(answer: unknown): void {
    const refused = reachedElement(answer).isForeign ? this.#frames.refused() : [];
    const [first] = refused;
    if (first === undefined) return;
    if (!refused.some((origin) => this.#isRuledOut(origin))) throw closedFrameRefused(first);
    const message =
      'This is in a frame of a site where a rule of the person’s says that nothing is done. Ask them, or go elsewhere.';
    throw new BridgeError('permission_denied', message, { evidence: { reason: 'site_rule', frame: true } });
  }

  #requireRuledIn(url: string): void {
    const refusal = this.#options.refusal(url);
    if (refusal === undefined) return;
    throw new BridgeError('permission_denied', refusal, { evidence: { reason: 'site_rule' } });
  }

  /** Forbidden by a rule or as a page of the relay, whatever the person answers. */
  #isRuledOut(url: string): boolean {
    return this.#options.controlPlane.has(url) || this.#options.refusal(url) !== undefined;
  }

  /** Input that opens a dialog or leaves the page was accepted, though the browser does not confirm it. */
  async #taken(work: () => Promise<unknown>): Promise<void> {
    try {
      await this.#usable(() => this.#departures.guard(work()));
    } catch (error) {
      if (!isDialogOpen(error) && !(error instanceof DocumentLeft)) throw error;
    }
  }
}

function uncovered(): BridgeError {
  const message =
    'The page does not draw, so nobody can tell whether its secrets are covered. Bring it to the front, then try again.';
  return new BridgeError('runtime_not_ready', message, { evidence: { reason: 'not_painted' } });
}

function trustPlaceOf(value: unknown): SettledDocument {
  return value as SettledDocument;
}
