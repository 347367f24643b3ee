import type { CarriedSecrets, SecretsNotice } from '@drawbridge/page';
import { BridgeError, type ErrorCode } from '@drawbridge/protocol';
import { DocumentLeft, type SurfaceNotice } from '@drawbridge/runtime';
import {
  createInterruption,
  type FramePosition,
  type Interruption,
  type PageFrame,
  within,
} from '@drawbridge/runtime/parts';
import type { PageMessage } from '../page/page-port.ts';
import type { HeldPort } from '../worker/held-port.ts';
import { askDocument, type DocumentLocation } from './document-call.ts';
import { enter, look, lookOnceDrawn } from './document-entry.ts';

/** A document with page code, and the port that reports its end. */
export interface TabDocument extends DocumentLocation {
  readonly port: chrome.runtime.Port;
  readonly calls: Interruption;
  /**
   * Prefix of its element ids; undefined until page code has started, or where the parent's page code serves
   * it.
   */
  prefix: string | undefined;
  /** Addresses that Chrome reports for it: a sandboxed one has the origin `null`. */
  readonly addresses: readonly string[];
  /** The document that holds it, and the token that identifies the element there. */
  holder: { readonly of: TabDocument; readonly token: string } | undefined;
}

export interface TabFramesOptions {
  readonly tabId: number;
  /**
   * Frames at this address are neither entered, read nor pictured: by a rule, as the relay's, or until
   * approved.
   */
  readonly isRefused: (url: string) => boolean;
  /** A running call may wait for the next document. */
  readonly isAwaited: () => boolean;
  /** The main frame has a new document. */
  readonly onDocument: (document: TabDocument) => void;
  readonly onLeft: () => void;
  /** Secrets to pass to a document of this origin. */
  readonly carried: (origin: string) => CarriedSecrets;
  readonly onNotice: (notice: SurfaceNotice | SecretsNotice) => void;
  /** Reports the main frame's address after a call, before Chrome does. */
  readonly onLocation: (location: { url: string; title: string }) => void;
}

/** Lower numbers belong to frames that page code serves itself. */
const FIRST_NUMBER = 100;
const HOLDER_LIMIT_MS = 1_500;
/** A hanging frame is not waited for; its page code is used once ready. */
const FRAME_LIMIT_MS = 1_000;
/** A page that never finishes loading is used as it is. */
const LONGEST_LOAD_MS = 5_000;
/** Delay before entering a new document that no call waits for. */
const REST_MS = 500;

/** Keeps page code in every permitted frame of a tab, across navigations. */
export class TabFrames {
  readonly #options: TabFramesOptions;
  readonly #documents = new Map<number, TabDocument>();
  readonly #adopting = new Map<string, () => void>();
  readonly #awaited = new Map<string, (holder: TabDocument) => void>();
  #numbered = FIRST_NUMBER;
  #hurried = Promise.withResolvers<void>();
  #rest = Promise.resolve();
  #reaching: Promise<void> | undefined;
  /** Origins of frames refused at the last look. */
  #refused: readonly string[] = [];
  #again = false;

  constructor(options: TabFramesOptions) {
    this.#options = options;
  }

  get main(): TabDocument | undefined {
    return this.#documents.get(0);
  }

  /** Origins of frames that are kept closed. */
  refused(): string[] {
    return this.#refused.filter((origin) => this.#options.isRefused(origin));
  }

  /** True if a closed frame may be entered now. */
  hasOpened(): boolean {
    return this.refused().length < this.#refused.length;
  }

  /** Injects page code into every document without it, and makes each open its port. Serialized. */
  reach(): Promise<void> {
    this.#again = this.#reaching !== undefined;
    this.#reaching ??= this.#reachAll().finally(() => {
      this.#reaching = undefined;
      if (this.#again) this.reach().catch(() => undefined);
    });
    return this.#reaching;
  }

  /** A call waits for the main document: enter it while it still loads. */
  settleNow(): void {
    this.#hurried.resolve();
  }

  async #reachAll(): Promise<void> {
    if (this.main === undefined) return this.#reachMain();
    const { tabId } = this.#options;
    await this.#leaveRefused();
    const found = await look({ tabId, allFrames: true }, true);
    const allowed = found.filter(
      ({ frameId, result }) => frameId === 0 || !this.#areRefused(result?.origins),
    );
    this.#refused = found
      .filter((each) => !allowed.includes(each))
      .flatMap(({ result }) => result?.origins ?? [])
      .filter((origin) => this.#options.isRefused(origin));
    const unheard = allowed.filter(
      ({ documentId, frameId }) => this.#documents.get(frameId)?.documentId !== documentId,
    );
    const adopted = unheard
      .filter(({ frameId }) => frameId !== 0)
      .map((each) => this.#adopted(each.documentId));
    await Promise.all([...unheard.map((found) => enter(tabId, found)), ...adopted]);
  }

  #areRefused = (origins: readonly string[] = []): boolean =>
    origins.some((origin) => this.#options.isRefused(origin));

  /** Includes frames inside a refused one. The main frame's rule is checked with each call. */
  #isRefused({ frameId, addresses, holder }: TabDocument): boolean {
    if (frameId === 0) return false;
    return this.#areRefused(addresses) || (holder !== undefined && this.#isRefused(holder.of));
  }

  /** A rule may be added while page code is already in a frame. */
  async #leaveRefused(): Promise<void> {
    const refused = [...this.#documents.values()].filter((document) => this.#isRefused(document));
    await Promise.allSettled(refused.map((document) => askDocument(document, 'end')));
    for (const document of refused) {
      document.port.disconnect();
      this.#lose(document);
    }
  }

  /** Lets a page paint first: even an empty isolated world would delay its first paint. */
  async #reachMain(): Promise<void> {
    const { tabId, isAwaited } = this.#options;
    const target = { tabId, frameIds: [0] };
    const hurried = this.#hurried.promise;
    const timer = setTimeout(this.#hurried.resolve, LONGEST_LOAD_MS);
    const entered = async () => {
      if (isAwaited()) return look(target, false);
      await this.#rest;
      return lookOnceDrawn(target);
    };
    try {
      const [found] = await Promise.race([entered(), hurried.then(() => look(target, true))]);
      if (found !== undefined) await enter(tabId, found);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when the frame's page code is in use, or clearly will not be soon. */
  #adopted(documentId: string): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer);
        this.#adopting.delete(documentId);
        resolve();
      };
      const timer = setTimeout(over, FRAME_LIMIT_MS);
      this.#adopting.set(documentId, over);
    });
  }

  /** Accepts the port of a document in this tab. */
  take({ port, listen }: HeldPort, place: DocumentLocation): void {
    const { origin, url } = port.sender ?? {};
    const addresses = [origin, url].filter((address) => address !== undefined);
    if (place.frameId !== 0 && this.#areRefused(addresses)) {
      port.disconnect();
      return;
    }
    const before = this.#documents.get(place.frameId);
    if (before !== undefined) this.#lose(before);
    const document: TabDocument = {
      ...place,
      addresses,
      port,
      calls: createInterruption(),
      prefix: undefined,
      holder: undefined,
    };
    this.#documents.set(place.frameId, document);
    listen(
      (message) => this.#receive(document, trustMessage(message)),
      () => this.#lose(document),
    );
    if (place.frameId === 0) {
      this.#options.onDocument(document);
      this.reach().catch(() => undefined);
    } else
      void this.#adopt(document)
        .catch(() => undefined)
        .finally(() => this.#adopting.get(document.documentId)?.());
  }

  /** Frames with page code, the main one first. */
  pages(): PageFrame[] {
    const made = new Map<TabDocument, PageFrame>();
    const all = [...this.#documents.values()].filter(
      (document) => document.prefix !== undefined && !this.#isRefused(document),
    );
    const pageOf = (document: TabDocument): PageFrame => {
      const known = made.get(document);
      if (known !== undefined) return known;
      const { holder } = document;
      const page: PageFrame = {
        prefix: document.prefix ?? '',
        holder: holder && pageOf(this.#pageHolder(holder.of)),
        call: (name, args) => this.callPage(document, name, args),
        position: async (at) => trustPlace(await this.#ofOwner(document, 'place', at)),
        show: async (at) => void (await this.#ofOwner(document, 'show', at)),
      };
      made.set(document, page);
      return page;
    };
    const isJoined = (document: TabDocument) => document.frameId === 0 || document.holder !== undefined;
    return all
      .filter(isJoined)
      .toSorted((a, b) => a.frameId - b.frameId)
      .map(pageOf);
  }

  ask(document: TabDocument, name: string, args: readonly unknown[] = []): Promise<unknown> {
    return document.calls.guard(askDocument(document, name, args));
  }

  start(document: TabDocument, prefix: string): Promise<unknown> {
    return this.ask(document, 'start', [prefix, this.#options.carried(document.addresses[0] ?? '')]);
  }

  async callPage(document: TabDocument, name: string, args: readonly unknown[]): Promise<unknown> {
    const { answer, ...place } = trustCalled(await this.ask(document, 'call', [name, args]));
    if (document === this.main) this.#options.onLocation(place);
    if (answer === undefined) throw new DocumentLeft('The page code has left the page.');
    if (answer.ok) return answer.value;
    const { code, message, evidence } = answer.error;
    throw new BridgeError(code, message, { evidence });
  }

  /** Covers unreadable frames in every document. */
  async coverOthers(): Promise<void> {
    const all = [...this.#documents.values()];
    const tokens = all
      .filter((document) => !this.#isRefused(document))
      .flatMap(({ holder, prefix }) => (holder === undefined || prefix === undefined ? [] : holder.token));
    await Promise.all(all.map((document) => this.ask(document, 'coverOthers', [tokens])));
  }

  /** True if every document has painted its changes. */
  async arePainted(): Promise<boolean> {
    const all = [...this.#documents.values()];
    return (await Promise.all(all.map((document) => this.ask(document, 'painted')))).every(
      (is) => is === true,
    );
  }

  async uncover(): Promise<void> {
    await Promise.allSettled([...this.#documents.values()].map((document) => this.ask(document, 'uncover')));
  }

  /** Removes everything of ours from the page. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#documents.values()].map((document) => askDocument(document, 'end')));
    for (const { port } of this.#documents.values()) port.disconnect();
    this.#documents.clear();
  }

  /** Finds the holder of a cross-origin frame, and starts page code in it. */
  async #adopt(document: TabDocument): Promise<void> {
    const prefix = `f${this.#numbered++}_`;
    const given = String(await this.start(document, prefix));
    if (given === '-') return;
    const token = `drawbridge:frame:${crypto.randomUUID()}`;
    const held = new Promise<TabDocument>((resolve) => this.#awaited.set(token, resolve));
    try {
      await this.ask(document, 'announce', [token]);
      const of = await within(HOLDER_LIMIT_MS, held, () => new Error('Nobody holds this frame.'));
      document.holder = { of, token };
      document.prefix = given;
    } finally {
      this.#awaited.delete(token);
    }
  }

  #receive(document: TabDocument, message: PageMessage): void {
    if (message.kind === 'holds') this.#awaited.get(message.token)?.(document);
    else if (message.kind === 'notice') this.#options.onNotice(trustNotice(message.notice));
  }

  #lose(document: TabDocument): void {
    if (this.#documents.get(document.frameId) !== document) return;
    this.#documents.delete(document.frameId);
    document.calls.interrupt(new DocumentLeft('The document left while page code ran in it.'));
    if (document.frameId !== 0) return;
    this.#hurried = Promise.withResolvers();
    this.#rest = new Promise((resolve) => {
      setTimeout(resolve, REST_MS);
    });
    this.#options.onLeft();
  }

  /** A document served by its parent's page code: returns that parent. */
  #pageHolder(document: TabDocument): TabDocument {
    let outer = document;
    while (outer.prefix === undefined && outer.holder !== undefined) outer = outer.holder.of;
    return outer.prefix === undefined ? (this.main ?? outer) : outer;
  }

  async #ofOwner(document: TabDocument, name: 'place' | 'show', at?: { x: number; y: number }) {
    if (document.holder === undefined) throw noOwner();
    const { of, token } = document.holder;
    const told = await this.ask(of, name, [token, ...(at === undefined ? [] : [at.x, at.y])]);
    if (told === undefined || told === false || told === null) throw noOwner();
    return told;
  }
}

function noOwner(): BridgeError {
  return new BridgeError('target_not_found', 'The frame has left the page. Take a new snapshot.');
}

type Answer =
  | { readonly ok: true; readonly value?: unknown }
  | {
      readonly ok: false;
      readonly error: { code: ErrorCode; message: string; evidence: Record<string, unknown> };
    };

// Results from our isolated world were written by our own code.

function trustCalled(value: unknown): { answer?: Answer; url: string; title: string } {
  return value as { answer?: Answer; url: string; title: string };
}

function trustMessage(message: unknown): PageMessage {
  return message as PageMessage;
}

function trustPlace(value: unknown): FramePosition {
  return value as FramePosition;
}

function trustNotice(notice: object): SurfaceNotice | SecretsNotice {
  return notice as SurfaceNotice | SecretsNotice;
}
