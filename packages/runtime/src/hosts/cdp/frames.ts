import type { CarriedSecrets } from '@drawbridge/page';
import type { ShieldOrder } from '@drawbridge/page/calls';
import { DocumentLeft } from '../../host.ts';
import type { Connection, EventParams, Session } from './connection.ts';
import { within } from './interruption.ts';
import {
  createIsolatedWorld,
  type IsolatedWorld,
  NOTIFY_BINDING,
  type Notification,
  orderShield,
  startForeign,
  trustNotification,
  WORLD_NAME,
  worldSource,
} from './isolated-world.ts';
import { listenForPrivate } from './private-documents.ts';

/** One frame of a tab, in any process. */
export interface Frame {
  readonly id: string;
  /** Unknown at first when a document comes from the back-forward cache. */
  parentId: string | undefined;
  /** The last navigated address; empty until known. */
  url: string;
  session: Session;
  /** Runs out of process: events about it on other sessions concern the previous document. */
  isApart: boolean;
  world: IsolatedWorld | undefined;
  /** Prefix of its element ids, when page code runs in it. */
  prefix: string | undefined;
  /** Page code has not reported yet whether it runs here. */
  isUnsure: boolean;
  /** Pending while page code starts in it, up to a limit. */
  starting: Promise<void>;
  /** Page code was not started, because the address is closed. */
  isLeftOut: boolean;
  /** Object id of its owner element in the parent's world. */
  owner: Promise<string> | undefined;
}

export interface FramesOptions {
  readonly connection: Connection;
  readonly session: Session;
  /** Also the id of the main frame. */
  readonly targetId: string;
  readonly script: string;
  /** Secrets that a new document takes over. */
  readonly carried: (world: IsolatedWorld) => Promise<CarriedSecrets>;
  /** The main frame has another document, and page code runs in this world of it. */
  readonly onDocument: (world: IsolatedWorld, loaderId: string | undefined) => void;
  /** The main frame reached an address: the document exists, but page code was not called yet. */
  readonly onAddress: (url: string) => void;
  /** Page code is never called in frames at such an address (BRG-173). */
  readonly isForbidden: (url: string) => boolean;
  /** A private address that nobody opened: page code runs neither in its frames nor in those inside (BRG-175). */
  readonly isClosed: (url: string) => boolean;
  /** A document was loaded from a private address, whatever its name. */
  readonly onPrivate: (url: string) => void;
  readonly onLeft: () => void;
  readonly onNotification: (told: Notification) => void;
  /** Every session of the tab: the main one and those of out-of-process frames. */
  readonly onSession: (session: Session) => void;
}

/** Lower numbers belong to page code, for frames that it reaches itself. */
const FIRST_NUMBER = 100;
/** A frame that hangs is not awaited; its page code is used once it starts. */
const START_LIMIT_MS = 1_000;
/** A page that replaces its frames all the time is answered without them. */
const START_ROUNDS = 3;
const SHIELD_LIMIT_MS = 300;

/** Runs page code in every frame of a tab, across navigations and processes. */
export class Frames {
  readonly main: Frame;
  readonly #options: FramesOptions;
  readonly #source: string;
  readonly #all = new Map<string, Frame>();
  #loaderId: string | undefined;
  #numbered = FIRST_NUMBER;
  /** Token of the press for which all other frames swallow input. */
  #shieldedFor: string | undefined;
  /** A document loaded while the others were shielded; it swallows input until they are released. */
  #hasClosed = false;

  constructor(options: FramesOptions) {
    this.#options = options;
    this.#source = worldSource(options.script);
    this.main = this.#frame(options.targetId, options.session);
    this.main.prefix = '';
  }

  /** Resumes the frame even when the setup fails: a paused frame hangs its whole page. */
  async attach(session: Session = this.#options.session): Promise<void> {
    this.#listen(session);
    this.#options.onSession(session);
    await Promise.all([
      session.send('Page.enable'),
      // Reports the remote address of each document; no bodies are buffered.
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: NOTIFY_BINDING, executionContextName: WORLD_NAME }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: this.#source,
        worldName: WORLD_NAME,
        runImmediately: true,
      }),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'iframe' }],
      }),
      session.send('Page.getFrameTree').then(({ frameTree }) => this.#learn(frameTree, session)),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  has(frameId: string): boolean {
    return this.#all.has(frameId);
  }

  /** Frames in which page code has started, the main one first. */
  async withPage(): Promise<Frame[]> {
    const frames = [...this.#all.values()];
    // Frames opened since.
    for (const frame of frames)
      if (frame.isLeftOut && frame.world !== undefined && !this.#isRefused(frame))
        this.#begin(frame, frame.world);
    if (frames.length > 1) await this.#started(frames);
    return frames.filter((frame) => {
      const { prefix, world } = frame;
      return prefix !== undefined && world !== undefined && this.#isInTab(frame) && !this.#isRefused(frame);
    });
  }

  /** A frame's next document may begin while another one is awaited. */
  async #started(frames: readonly Frame[]): Promise<void> {
    for (let round = 0; round < START_ROUNDS; round += 1) {
      const starting = frames.map((frame) => frame.starting);
      await Promise.all(starting);
      if (frames.every((frame, at) => frame.starting === starting[at])) return;
    }
  }

  /** The outermost frames with a closed address. */
  closed(): Frame[] {
    if (this.#all.size === 1) return [];
    const isClosed = (frame: Frame) => frame !== this.main && this.#options.isClosed(frame.url);
    return [...this.#all.values()].filter((frame) => {
      if (!isClosed(frame) || !this.#isInTab(frame)) return false;
      for (let outer = this.parentOf(frame); outer !== undefined; outer = this.parentOf(outer))
        if (isClosed(outer)) return false;
      return true;
    });
  }

  /** Whether a frame must not appear in a screenshot. */
  hasForbidden(): boolean {
    return [...this.#all.values()].some((frame) => this.#isForbidden(frame) && this.#isInTab(frame));
  }

  /** The main frame, when it is the only one and has page code. */
  alone(): Frame | undefined {
    return this.#all.size === 1 && this.main.world !== undefined ? this.main : undefined;
  }

  /** A frame that does not answer may show secrets that cannot be masked. */
  isUnsure(): boolean {
    return [...this.#all.values()].some((frame) => frame.isUnsure && this.#isInTab(frame));
  }

  /** Swallows input in all other frames, including those that load during the press. */
  async raise(token: string): Promise<void> {
    this.#shieldedFor = token;
    if (this.#all.size > 1) await this.#orderShields('raise');
  }

  /** Returns the element that swallowed input would have reached. */
  async lower(token: string): Promise<string> {
    // An abandoned press must not release the shield of the next one.
    if (this.#shieldedFor !== token) return '';
    this.#shieldedFor = undefined;
    return this.#all.size > 1 || this.#hasClosed ? this.#orderShields('lower') : '';
  }

  /** A frame that hangs is not awaited: the queued order swallows its later input. */
  async #orderShields(order: ShieldOrder): Promise<string> {
    if (order === 'lower') this.#hasClosed = false;
    const worlds = [...this.#all.values()].flatMap(({ world }) => world ?? []);
    const missed = worlds.map((world) =>
      within(SHIELD_LIMIT_MS, orderShield(world, order), () => new Error('late')).catch(() => ''),
    );
    return (await Promise.all(missed)).find((each) => each !== '') ?? '';
  }

  /** Whether a new document may take input at once. */
  opens(): boolean {
    const isShielded = this.#shieldedFor !== undefined;
    if (isShielded) this.#hasClosed = true;
    return !isShielded;
  }

  parentOf({ parentId }: Frame): Frame | undefined {
    return parentId === undefined ? undefined : this.#all.get(parentId);
  }

  byPrefix(prefix: string): Frame | undefined {
    return [...this.#all.values()].find((frame) => frame.prefix === prefix && !this.#isRefused(frame));
  }

  #isForbidden({ url }: Frame): boolean {
    return this.#options.isForbidden(url);
  }

  /** Covers a frame inside a refused one, which may have an opaque origin. */
  #isRefused(frame: Frame): boolean {
    for (let each: Frame | undefined = frame; each !== undefined; each = this.parentOf(each))
      if (this.#isForbidden(each) || (each !== this.main && this.#options.isClosed(each.url))) return true;
    return false;
  }

  #moved(frame: Frame, url: string): void {
    frame.url = url;
    if (frame === this.main) this.#options.onAddress(url);
  }

  #isInTab(frame: Frame): boolean {
    let outermost = frame;
    for (let outer = this.parentOf(frame); outer !== undefined; outer = this.parentOf(outer))
      outermost = outer;
    return outermost === this.main;
  }

  #listen(session: Session): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      this.#frame(frameId, session, parentFrameId);
    });
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#remove(frameId);
    });
    listenForPrivate(session, this.#options.onPrivate);
    session.on('Page.frameNavigated', (event) => this.#onNavigated(event, session));
    session.on('Runtime.executionContextCreated', ({ context }) => this.#onContext(context, session));
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      this.#loseWorlds((world) => world.uniqueId === executionContextUniqueId);
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#loseWorlds((world) => world.session === session);
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== NOTIFY_BINDING) return;
      const told = trustNotification(payload);
      const { world } = this.main;
      const isCurrent = world?.session === session && world.contextId === executionContextId;
      // A title of a document that has left came late.
      if (isCurrent || !('title' in told)) this.#options.onNotification(told);
    });
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const child = this.#options.connection.session(sessionId);
      const frame = this.#frame(targetInfo.targetId, child, targetInfo.parentFrameId ?? targetInfo.parentId);
      frame.session = child;
      frame.isApart = true;
      frame.url = targetInfo.url;
      // The frame may be gone before it is set up.
      this.attach(child).catch(() => undefined);
    });
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#loseWorlds((world) => world.session.id === sessionId);
      for (const frame of this.#all.values()) if (frame.session.id === sessionId) frame.isApart = false;
    });
  }

  #frame(id: string, session: Session, parentId?: string): Frame {
    const known = this.#all.get(id);
    if (known !== undefined) {
      if (!known.isApart) known.session = session;
      known.parentId ??= parentId;
      return known;
    }
    const frame: Frame = {
      id,
      parentId,
      url: '',
      session,
      isApart: false,
      world: undefined,
      prefix: undefined,
      isUnsure: false,
      starting: Promise.resolve(),
      isLeftOut: false,
      owner: undefined,
    };
    this.#all.set(id, frame);
    return frame;
  }

  #learn({ frame, childFrames = [] }: FrameTree, session: Session): void {
    const known = this.#all.get(frame.id) ?? this.#frame(frame.id, session, frame.parentId);
    known.parentId ??= frame.parentId;
    if (known.url === '') this.#moved(known, frame.url);
    for (const child of childFrames) this.#learn(child, session);
  }

  #onNavigated({ frame: { id, parentId, loaderId, url }, type }: Navigated, session: Session): void {
    const frame = this.#frame(id, session, parentId);
    if (frame.session !== session) return;
    if (frame === this.main) this.#loaderId = loaderId;
    this.#moved(frame, url);
    if (type === 'BackForwardCacheRestore') {
      // Frames that came before it have no known parent yet.
      session
        .send('Page.getFrameTree')
        .then(({ frameTree }) => this.#learn(frameTree, session))
        .catch(() => undefined);
      return;
    }
    this.#removeChildren(id);
    // Still present: the window of the initial empty document is reused, and has our world.
    const { world } = frame;
    if (world === undefined) return;
    this.#loseWorlds((lost) => lost === world);
    this.#begin(frame, createIsolatedWorld(world.session, { id: world.contextId, uniqueId: world.uniqueId }));
  }

  #onContext(context: Context, session: Session): void {
    const frameId: unknown = context.auxData?.['frameId'];
    if (context.name !== WORLD_NAME || typeof frameId !== 'string') return;
    const frame = this.#frame(frameId, session);
    if (frame.session === session) this.#begin(frame, createIsolatedWorld(session, context));
  }

  #begin(frame: Frame, world: IsolatedWorld): void {
    frame.world = world;
    if (frame === this.main) {
      this.#options.onDocument(world, this.#loaderId);
      return;
    }
    frame.isLeftOut = this.#isRefused(frame);
    if (frame.isLeftOut) {
      frame.prefix = undefined;
      frame.isUnsure = false;
      frame.starting = Promise.resolve();
      return;
    }
    // Each document gets a new prefix, so that an old id never matches an element of a new document.
    const prefix = `f${this.#numbered++}_`;
    frame.prefix = undefined;
    frame.isUnsure = true;
    const start = async () => {
      const carried = await this.#options.carried(world);
      // Read last: a press that began in the meantime has raised this frame's shield.
      return startForeign(world, prefix, this.opens(), carried);
    };
    const started = start().then((given) => {
      if (frame.world === world) frame.isUnsure = false;
      if (given !== '' && frame.world === world) frame.prefix = given;
    });
    frame.starting = within(START_LIMIT_MS, started, () => new Error('late')).catch(() => undefined);
  }

  #loseWorlds(isLost: (world: IsolatedWorld) => boolean): void {
    for (const frame of this.#all.values()) {
      const { world } = frame;
      if (world === undefined || !isLost(world)) continue;
      frame.world = undefined;
      frame.owner = undefined;
      if (frame === this.main) this.#options.onLeft();
      else {
        frame.prefix = undefined;
        frame.isUnsure = false;
      }
      world.calls.interrupt(new DocumentLeft('The document left while page code ran in it.'));
    }
  }

  #remove(id: string): void {
    const frame = this.#all.get(id);
    if (frame === undefined || frame === this.main) return;
    this.#loseWorlds((world) => world === frame.world);
    this.#all.delete(id);
    this.#removeChildren(id);
  }

  #removeChildren(id: string): void {
    for (const child of [...this.#all.values()]) if (child.parentId === id) this.#remove(child.id);
  }
}

type FrameTree = {
  readonly frame: { readonly id: string; readonly parentId?: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
};
type Context = EventParams<'Runtime.executionContextCreated'>['context'];
type Navigated = EventParams<'Page.frameNavigated'>;
