import type { CarriedSecrets } from '@drawbridge/page';
import { DocumentLeft } from '../../host.ts';
import type { ShieldOrder } from '../../in-page/input-shield.ts';
import type { Connection, Session } from './connection.ts';
import type { EventParams } from './message.ts';
import {
  createWorld,
  orderShield,
  parseTold,
  startForeign,
  TELL,
  type Told,
  WORLD,
  type World,
  worldSource,
} from './page-world.ts';
import { listenForPrivate } from './private-documents.ts';
import { within } from './time-limit.ts';

/** One frame of a tab, in whatever process it lives. */
export interface Frame {
  readonly id: string;
  /** Not known at first when a document comes back from the back-forward cache. */
  parentId: string | undefined;
  /** As it was navigated to last; empty until that is known. */
  url: string;
  session: Session;
  /** In a process of its own: what other sessions still say about it is about the document before. */
  isApart: boolean;
  world: World | undefined;
  /** What the ids in it begin with, when it has page code of its own. */
  prefix: string | undefined;
  /** Page code has not said yet whether it runs here. */
  isUnsure: boolean;
  /** Pending while page code starts in it, but not for long. */
  starting: Promise<void>;
  /** Page code was not started in it, for its address was closed. */
  isLeftOut: boolean;
  /** The element that holds it, as its parent's world knows it. */
  owner: Promise<string> | undefined;
}

export interface FramesOptions {
  readonly connection: Connection;
  readonly session: Session;
  /** The id of the main frame too. */
  readonly targetId: string;
  readonly script: string;
  /** The main frame has another document, and this is where page code runs in it. */
  /** Secrets that a new document takes over. */
  readonly carried: (world: World) => Promise<CarriedSecrets>;
  readonly onDocument: (world: World, loaderId: string | undefined) => void;
  /** The main frame has come to an address: the document is there, and page code is not yet asked anything. */
  readonly onAddress: (url: string) => void;
  /** In frames at such an address no page code is called (BRG-173). */
  readonly isForbidden: (url: string) => boolean;
  /** A private address that nobody has opened: no page code runs in its frames, nor in those inside (BRG-175). */
  readonly isClosed: (url: string) => boolean;
  /** A document came from a private address, whatever its name. */
  readonly onPrivate: (url: string) => void;
  readonly onLeft: () => void;
  readonly onTold: (told: Told) => void;
  /** Every session of the tab: the main one and those of frames in other processes. */
  readonly onSession: (session: Session) => void;
}

/** Numbers below are the page code's own, for frames that it reaches itself. */
const FIRST_NUMBER = 100;
/** A frame that hangs is not waited for; its page code is used once it is there. */
const START_LIMIT_MS = 1_000;
const SHIELD_LIMIT_MS = 300;

/** Keeps page code in every frame of a tab, across navigations and processes. */
export class Frames {
  readonly main: Frame;
  readonly #options: FramesOptions;
  readonly #source: string;
  readonly #all = new Map<string, Frame>();
  #loaderId: string | undefined;
  #numbered = FIRST_NUMBER;
  /** The press for which all frames but its own swallow input. */
  #shieldedFor: string | undefined;
  /** A document came while the others were shielded, and is closed until they are not. */
  #hasClosed = false;

  constructor(options: FramesOptions) {
    this.#options = options;
    this.#source = worldSource(options.script);
    this.main = this.#frame(options.targetId, options.session);
    this.main.prefix = '';
  }

  /** The frame must be let run even when the rest fails: a paused one hangs its whole page. */
  async attach(session: Session = this.#options.session): Promise<void> {
    this.#listen(session);
    this.#options.onSession(session);
    await Promise.all([
      session.send('Page.enable'),
      // For the address that each document came from; no body is stored.
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: TELL, executionContextName: WORLD }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: this.#source,
        worldName: WORLD,
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

  /** Those with page code of their own, the main one first, once page code has started in them. */
  async withPage(): Promise<Frame[]> {
    const frames = [...this.#all.values()];
    // Those that were opened since.
    for (const frame of frames)
      if (frame.isLeftOut && frame.world !== undefined && !this.#isRefused(frame))
        this.#begin(frame, frame.world);
    if (frames.length > 1) await Promise.all(frames.map(({ starting }) => starting));
    return frames.filter((frame) => {
      const { prefix, world } = frame;
      return prefix !== undefined && world !== undefined && this.#isInTab(frame) && !this.#isRefused(frame);
    });
  }

  /** The outermost frames of the tab whose address is closed. */
  closed(): Frame[] {
    const isClosed = (frame: Frame) => frame !== this.main && this.#options.isClosed(frame.url);
    return [...this.#all.values()].filter((frame) => {
      if (!isClosed(frame) || !this.#isInTab(frame)) return false;
      for (let outer = this.parentOf(frame); outer !== undefined; outer = this.parentOf(outer))
        if (isClosed(outer)) return false;
      return true;
    });
  }

  /** One whose picture nobody may have. */
  hasForbidden(): boolean {
    return [...this.#all.values()].some((frame) => this.#isForbidden(frame) && this.#isInTab(frame));
  }

  /** The main frame, when there is no other and page code is in it. */
  alone(): Frame | undefined {
    return this.#all.size === 1 && this.main.world !== undefined ? this.main : undefined;
  }

  /** A frame that does not answer may show what nobody can cover. */
  isUnsure(): boolean {
    return [...this.#all.values()].some((frame) => frame.isUnsure && this.#isInTab(frame));
  }

  /** Input that is not meant for them is swallowed in all frames, and in those that come meanwhile. */
  async raise(token: string): Promise<void> {
    this.#shieldedFor = token;
    if (this.#all.size > 1) await this.#orderShields('raise');
  }

  /** Answers what would have been reached. */
  async lower(token: string): Promise<string> {
    // A press that was given up before does not end the one that came after it.
    if (this.#shieldedFor !== token) return '';
    this.#shieldedFor = undefined;
    return this.#all.size > 1 || this.#hasClosed ? this.#orderShields('lower') : '';
  }

  /** A frame that hangs is not waited for: what comes later is swallowed by the order that waits in it. */
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

  /** Also for a frame inside a refused one: it may have no address of its own. */
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
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === TELL) this.#options.onTold(parseTold(payload));
    });
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const child = this.#options.connection.session(sessionId);
      const frame = this.#frame(targetInfo.targetId, child, targetInfo.parentFrameId ?? targetInfo.parentId);
      frame.session = child;
      frame.isApart = true;
      frame.url = targetInfo.url;
      // It may be gone again before it is set up.
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
      // Its frames came before it, and nobody said whose they are.
      session
        .send('Page.getFrameTree')
        .then(({ frameTree }) => this.#learn(frameTree, session))
        .catch(() => undefined);
      return;
    }
    this.#removeChildren(id);
    // Still there: the window is the one of the empty document before, which had our world already.
    const { world } = frame;
    if (world === undefined) return;
    this.#loseWorlds((lost) => lost === world);
    this.#begin(frame, createWorld(world.session, { id: world.contextId, uniqueId: world.uniqueId }));
  }

  #onContext(context: Context, session: Session): void {
    const frameId: unknown = context.auxData?.['frameId'];
    if (context.name !== WORLD || typeof frameId !== 'string') return;
    const frame = this.#frame(frameId, session);
    if (frame.session === session) this.#begin(frame, createWorld(session, context));
  }

  #begin(frame: Frame, world: World): void {
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
    // Another document, another prefix: an id of the one before must not mean something in this one.
    const prefix = `f${this.#numbered++}_`;
    frame.prefix = undefined;
    frame.isUnsure = true;
    const start = async () => startForeign(world, prefix, this.opens(), await this.#options.carried(world));
    const started = start().then((given) => {
      if (frame.world === world) frame.isUnsure = false;
      if (given !== '' && frame.world === world) frame.prefix = given;
    });
    frame.starting = within(START_LIMIT_MS, started, () => new Error('late')).catch(() => undefined);
  }

  #loseWorlds(isLost: (world: World) => boolean): void {
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
