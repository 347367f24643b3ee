import { setTimeout as passed } from 'node:timers/promises';
import { createDeferred, createMutex } from '@drawbridge/base';
import type { CarriedSecrets } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import { type ControlPlane, relayAddressRefused } from '../../address/control-plane.ts';
import { closedFrameRefused, type LocalNetwork } from '../../address/local-network.ts';
import {
  type Clipboard,
  type Dialogs,
  DocumentLeft,
  type HostEvent,
  type HostFiles,
  type Picture,
  type PictureOptions,
  type Surface,
  type SurfaceHost,
  type Tabs,
  type TrustedInput,
  type ViewportPart,
} from '../../host.ts';
import type { SecretMemory } from '../secret-memory.ts';
import { createClipboard, type PermitClipboard } from './clipboard.ts';
import { withClosedFrames } from './closed-frames.ts';
import type { Connection, Session } from './connection.ts';
import { ENDS_PRESS } from './frame-press.ts';
import { type Frame, Frames } from './frames.ts';
import { createInput, outsideInput } from './input.ts';
import { createInspectionLog, type InspectionLog } from './inspection.ts';
import { cancellable, createInterruption, isDialogOpen, stillLoading } from './interruption.ts';
import {
  endPage,
  type IsolatedWorld,
  originIn,
  positionInWorld,
  rethrow,
  settledDocument,
} from './isolated-world.ts';
import { createJoinedPage, type JoinedPage, type Pages } from './joined-page.ts';
import { createListenerScan, type ListenerScanMetrics } from './listener-scan.ts';
import { type Destination, navigate } from './navigation.ts';
import { createOpenDialogs, type OpenDialogs } from './open-dialogs.ts';
import { createOwnRequests, type OwnRequests } from './own-requests.ts';
import { NAMES_REACHED, PERCEPTIONS, pageFrames, reachedElement } from './page-frame.ts';
import { drawnIn, takePicture } from './picture.ts';
import { TabState } from './tab-state.ts';

export interface SurfaceOptions {
  readonly connection: Connection;
  readonly session: Session;
  readonly targetId: string;
  readonly script: string;
  readonly isActive: () => boolean;
  readonly tabs: (own: string) => Tabs;
  readonly controlPlane: ControlPlane;
  readonly localNetwork: LocalNetwork;
  readonly secrets: SecretMemory;
  readonly files: HostFiles;
  /** The tab navigated to the relay and is given back. */
  readonly onForbidden: () => void;
  /** Absent: no clipboard. */
  readonly permitClipboard?: PermitClipboard;
}

/** Deadline for a document that is loading. */
const LOADING_LIMIT_MS = 15_000;

const TURN_LIMIT_MS = 1_000;

export class CdpSurface implements SurfaceHost {
  readonly kind = 'cdp';
  readonly targetId: string;
  readonly runtimeKey: string;
  readonly input: TrustedInput;
  readonly dialogs: Dialogs;
  readonly tabs: Tabs;
  readonly surface: () => Surface;
  readonly onEvent: SurfaceHost['onEvent'];
  readonly requests: OwnRequests;
  readonly findsListeners = true;
  readonly files: HostFiles;
  readonly clipboard?: Clipboard;
  readonly inspection: InspectionLog;
  readonly #connection: Connection;
  readonly #session: Session;
  readonly #state: TabState;
  readonly #frames: Frames;
  readonly #dialogs: OpenDialogs;
  readonly #departures = createInterruption();
  readonly #listenerScan = createListenerScan();
  /**
   * One capture at a time: two at once share their scale, and the end of one removes the masks of the other. Input
   * takes its turn too: while a capture scales the tab, input for a frame of another site reaches its parent.
   */
  readonly #capture = createMutex();
  readonly #secrets: SecretMemory;
  #joined: JoinedPage;
  #mainPages: { readonly world: IsolatedWorld | undefined; readonly pages: Pages } | undefined;

  constructor(options: SurfaceOptions) {
    const { connection, session, targetId, script, permitClipboard, controlPlane, localNetwork } = options;
    this.#secrets = options.secrets;
    this.files = options.files;
    this.#connection = connection;
    this.#session = session;
    this.targetId = targetId;
    this.requests = createOwnRequests(targetId);
    this.runtimeKey = `cdp-tab:${targetId}`;
    this.#state = new TabState(options.isActive, {
      has: controlPlane.has,
      onReached: () => {
        options.onForbidden();
        void this.#letGo();
      },
    });
    this.surface = this.#state.surface;
    this.onEvent = this.#state.onEvent;
    this.#dialogs = createOpenDialogs(
      session,
      (dialog) => this.#state.emit({ kind: 'dialog', ...dialog }),
      () => this.#secrets.holdsAny,
    );
    this.dialogs = this.#dialogs;
    this.input = outsideInput(
      createInput(session, (work) => this.#taken(work)),
      () => this.#frames.closed().length > 0,
      (target) => this.callPage('act.element_context', [target]),
    );
    this.tabs = options.tabs(targetId);
    if (permitClipboard !== undefined) {
      const world = () => this.#dialogs.guard(() => this.#readyWorld());
      this.clipboard = createClipboard(world, permitClipboard, () => this.surface().url);
    }
    this.inspection = createInspectionLog({
      mainFrameId: () => targetId,
      url: () => this.surface().url,
      isRefused: (url) => controlPlane.has(url) || !localNetwork.isOpen(url),
      mask: (text) => this.#secrets.mask(text),
    });
    this.#frames = new Frames({
      connection,
      session,
      targetId,
      script,
      carried: (world) => this.#carried(world),
      onDocument: (world, loaderId) => void this.#begin(world, loaderId),
      onAddress: (url) => void this.#state.refuses(url),
      isForbidden: controlPlane.has,
      isClosed: (url) => !localNetwork.isOpen(url),
      onPrivate: localNetwork.notePrivate,
      onLeft: () => {
        this.#state.left();
        this.#departures.interrupt(new DocumentLeft('The document has left.'));
      },
      onNotification: (told) => {
        if ('title' in told) this.#state.moved(told);
        else if (told.notice.type === 'secrets') this.#secrets.receive(told.notice);
        else this.#state.emit({ kind: 'notice', notice: told.notice });
      },
      onSession: (each) => {
        this.#dialogs.listen(each);
        each.on('Page.windowOpen', () => this.#state.emit({ kind: 'opening' }));
        this.requests.listen(each);
        this.inspection.listen(each);
      },
    });
    this.#joined = this.#join();
    session.on('Inspector.targetCrashed', () => this.#state.crashed());
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId !== targetId) return;
      // The browser does not know which part of an address is secret.
      if (this.#secrets.holdsAny) void this.#movedWithin();
      else this.#state.moved({ url });
    });
  }

  async attach(): Promise<void> {
    const focused = this.#session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await Promise.all([this.#frames.attach(), focused]);
  }

  listenerScanMetrics = (): ListenerScanMetrics => this.#listenerScan.metrics();

  callPage = (name: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> => {
    if (!PERCEPTIONS.has(name)) this.#listenerScan.stir();
    const called = this.#usable(async () => {
      const answer = await this.#joined.call(this.#mainPage() ?? (await this.#pages()), name, args);
      if (NAMES_REACHED.has(name)) return this.#outsideClosed(answer);
      const closed = this.#frames.closed().map(({ url }) => new URL(url).origin);
      return closed.length === 0 ? answer : withClosedFrames(name, answer, closed);
    });
    // Also when the document has left and no page code answers.
    if (ENDS_PRESS.has(name)) {
      const lower = () => void this.#frames.lower(String(args[0])).catch(() => undefined);
      called.then(lower, lower);
    }
    return signal === undefined ? called : cancellable(called, name, signal);
  };

  picture = (options: PictureOptions): Promise<Picture> =>
    this.#usable(() =>
      this.#capture(async () => {
        await this.#readyWorld();
        const frames = await this.#frames.withPage();
        const closed = this.#frames.closed();
        const pages = this.#joinable([...frames, ...closed]);
        if (this.#frames.isUnsure()) throw uncovered();
        if (this.#frames.hasForbidden()) throw relayAddressRefused();
        this.#listenerScan.stir();
        return takePicture(this.#session, pages.slice(0, frames.length), pages.slice(frames.length), options);
      }),
    );

  drawn = (part: ViewportPart): Promise<string> =>
    this.#usable(() => this.#capture(() => drawnIn(this.#session, part)));

  navigate(to: Destination): Promise<Surface> {
    return navigate(this.#session, this.#state, this.#dialogs, to).catch(rethrow);
  }

  /** Resolves when the first document is ready. */
  async ready(): Promise<Surface> {
    await this.#readyWorld();
    return this.surface();
  }

  recordDownload(frameId: string, event: Extract<HostEvent, { kind: 'download' }>): boolean {
    if (!this.#frames.has(frameId)) return false;
    this.#state.emit(event);
    return true;
  }

  end(reason: string): void {
    this.#state.closed(reason);
  }

  /** Removes page code and detaches. The tab stays open. */
  close = async (): Promise<void> => {
    const { phase } = this.#state;
    if (phase.kind === 'closed') return;
    const frames =
      phase.kind === 'ready' && this.dialogs.open() === undefined ? await this.#frames.withPage() : [];
    this.#state.closed('it was given back');
    this.inspection.close();
    await Promise.allSettled(frames.map(({ world }) => world && endPage(world)));
    await this.#letGo();
  };

  /** New names of the relay were learned: the tab may show one of them. */
  checkAddress(): void {
    this.#state.refuses();
  }

  async #letGo(): Promise<void> {
    const { id } = this.#session;
    if (id === undefined) return;
    await this.#connection.browser.send('Target.detachFromTarget', { sessionId: id }).catch(() => undefined);
  }

  async #begin(world: IsolatedWorld, loaderId: string | undefined): Promise<void> {
    this.#joined = this.#join();
    this.#state.began(loaderId);
    try {
      const carried = await this.#carried(world);
      const document = await settledDocument(world, this.#frames.opens(), carried);
      if (this.#frames.main.world === world) this.#state.ready(world, document);
    } catch {
      // Gone before it was ready; the next document starts over.
    }
  }

  async #carried(world: IsolatedWorld): Promise<CarriedSecrets> {
    return this.#secrets.carried(this.#secrets.isEmpty ? '' : await originIn(world));
  }

  async #movedWithin(): Promise<void> {
    const { world } = this.#frames.main;
    if (world === undefined) return;
    const location = await positionInWorld(world).catch(() => undefined);
    if (location !== undefined && this.#frames.main.world === world) this.#state.moved(location);
  }

  #join(): JoinedPage {
    return createJoinedPage(() => this.surface().url, this.#frames, {
      isActive: () => this.surface().active,
      activate: () => this.tabs.activate(this.targetId),
    });
  }

  #usable<T>(work: () => Promise<T>): Promise<T> {
    return this.#dialogs.guard(async () => {
      this.#state.requireUsable();
      return this.#state.calls.guard(work()).catch(rethrow);
    });
  }

  /** A frame that page code cannot read may be a closed one. */
  #outsideClosed(answer: unknown): unknown {
    const [closed] = reachedElement(answer).isForeign ? this.#frames.closed() : [];
    if (closed !== undefined) throw closedFrameRefused(new URL(closed.url).origin);
    return answer;
  }

  async #readyWorld(): Promise<IsolatedWorld> {
    const isSettled = () => this.#state.phase.kind !== 'loading';
    if (!isSettled()) await this.#state.until(isSettled, LOADING_LIMIT_MS, stillLoading);
    this.#state.requireUsable();
    const { phase } = this.#state;
    if (phase.kind !== 'ready') throw stillLoading();
    return phase.world;
  }

  async #pages(): Promise<Pages> {
    await this.#readyWorld();
    return this.#joinable(await this.#frames.withPage());
  }

  /** Cached: mostly the main frame is the only one, and unchanged since the last call. */
  #mainPage(): Pages | undefined {
    const frame = this.#state.phase.kind === 'ready' ? this.#frames.alone() : undefined;
    if (frame === undefined) return undefined;
    const known = this.#mainPages;
    if (known !== undefined && known.world === frame.world) return known.pages;
    const pages = this.#joinable([frame]);
    this.#mainPages = { world: frame.world, pages };
    return pages;
  }

  #joinable(frames: readonly Frame[]): Pages {
    const parentOf = (frame: Frame) => this.#frames.parentOf(frame);
    const [main, ...inner] = pageFrames(frames, parentOf, this.#listenerScan);
    if (main === undefined || main.prefix !== '') throw new DocumentLeft('The document has left.');
    return [main, ...inner];
  }

  /** Input that opens a dialog or navigates was delivered, though the browser does not confirm it. */
  async #taken(work: () => Promise<unknown>): Promise<void> {
    this.#listenerScan.stir();
    if (this.dialogs.open() !== undefined) await this.#usable(work);
    let isAwaited = true;
    // Input that waits for a capture is dropped with its call: its guard has gone.
    const unlessDropped = async () => (isAwaited ? work() : undefined);
    try {
      await this.#usable(() => this.#departures.guard(this.#betweenCaptures(unlessDropped)));
    } catch (error) {
      if (!isDialogOpen(error) && !(error instanceof DocumentLeft)) throw error;
    } finally {
      isAwaited = false;
    }
  }

  /** Neither waits long for the other: a capture may hang, and input may hold a button for seconds. */
  async #betweenCaptures(work: () => Promise<unknown>): Promise<unknown> {
    const [turn, over] = [createDeferred<void>(), createDeferred<void>()];
    void this.#capture(() => {
      turn.resolve();
      return Promise.race([over.promise, passed(TURN_LIMIT_MS, undefined, { ref: false })]);
    });
    await Promise.race([turn.promise, passed(TURN_LIMIT_MS, undefined, { ref: false })]);
    try {
      return await work();
    } finally {
      over.resolve();
    }
  }
}

function uncovered(): BridgeError {
  const message =
    'A frame of the page does not answer, so what is secret in it cannot be covered. Reload the page.';
  return new BridgeError('runtime_not_ready', message, { evidence: { reason: 'frame_hangs' } });
}
