import { BridgeError } from '@drawbridge/protocol';
import { relayAddressRefused, relayTabRefused } from '../../address/control-plane.ts';
import type { HostEvent, Surface } from '../../host.ts';
import { createInterruption, type Interruption } from './interruption.ts';
import type { IsolatedWorld } from './isolated-world.ts';

type Phase<Place> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly world: Place }
  | { readonly kind: 'crashed' }
  | { readonly kind: 'closed'; readonly error: BridgeError };

/** Addresses at which the tab is not a surface (BRG-173). */
export interface Forbidden {
  readonly has: (url: string) => boolean;
  /** The tab reached such an address and must be detached. */
  readonly onReached: () => void;
}

/** State of a tab's document, and the calls that wait for a change. `Place` is the execution context of page code. */
export class TabState<Place = IsolatedWorld> {
  readonly #isActive: () => boolean;
  readonly #forbidden: Forbidden;
  readonly #listeners = new Set<(event: HostEvent) => void>();
  readonly #watchers = new Set<() => void>();
  readonly #ending = createInterruption();
  /** Ends with the tab, and when the page crashes; a navigation instead continues and repairs the page. */
  readonly calls: Interruption = createInterruption();
  #phase: Phase<Place> = { kind: 'loading' };
  #url = 'about:blank';
  #title = '';
  /** A title that the document told before it was ready: newer than the one that `ready` brings. */
  #told: string | undefined;
  /** Counts documents and same-document navigations; a navigation waits for either. */
  documents = 0;
  moves = 0;
  loaderId: string | undefined;

  constructor(isActive: () => boolean, forbidden: Forbidden = { has: () => false, onReached: () => {} }) {
    this.#isActive = isActive;
    this.#forbidden = forbidden;
  }

  get phase(): Phase<Place> {
    return this.#phase;
  }

  surface = (): Surface => ({ url: this.#url, title: this.#title, active: this.#isActive() });

  /** Replays `ready` to a late listener. */
  onEvent = (listener: (event: HostEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#phase.kind === 'ready') listener({ kind: 'ready', ...this.surface() });
    return () => this.#listeners.delete(listener);
  };

  emit(event: HostEvent): void {
    if (this.#phase.kind === 'closed') return;
    for (const listener of [...this.#listeners]) listener(event);
  }

  began(loaderId: string | undefined): void {
    this.documents++;
    this.loaderId = loaderId;
    this.#told = undefined;
    this.#enter({ kind: 'loading' });
  }

  ready(world: Place, { url, title, control }: SettledDocument): void {
    if (control === true) this.forbid();
    if (this.refuses(url)) return;
    this.#url = url;
    this.#title = this.#told ?? title;
    this.emit({ kind: 'ready', ...this.surface() });
    this.#enter({ kind: 'ready', world });
  }

  moved(change: { readonly url?: string; readonly title?: string }): void {
    const { url = this.#url, title = this.#title } = change;
    this.#told = change.title ?? this.#told;
    if (this.refuses(url)) return;
    if (url !== this.#url) this.moves++;
    const isNew = url !== this.#url || title !== this.#title;
    this.#url = url;
    this.#title = title;
    if (isNew && this.#phase.kind === 'ready') this.emit({ kind: 'moved', ...this.surface() });
    this.#notify();
  }

  left(): void {
    this.#leave({ kind: 'loading' });
  }

  crashed(): void {
    this.#leave({ kind: 'crashed' });
    this.calls.interrupt(crashedPage());
  }

  closed(reason: string, error: BridgeError = closedTab(reason)): void {
    if (this.#phase.kind === 'closed') return;
    // First: listeners of the end cancel calls, which then already have this error.
    this.#ending.interrupt(error);
    this.calls.interrupt(error);
    this.emit({ kind: 'closed', reason, error });
    this.#enter({ kind: 'closed', error });
    this.#listeners.clear();
  }

  /** Closes a tab at a forbidden address before listeners are notified; returns whether it is closed. */
  refuses(url = this.#url): boolean {
    if (this.#forbidden.has(url)) this.forbid();
    return this.#phase.kind === 'closed';
  }

  forbid(): void {
    if (this.#phase.kind === 'closed') return;
    this.closed('it came to a page of the relay', relayTabRefused());
    this.#forbidden.onReached();
  }

  /** Checks the target address of a call. */
  requireOpenTo(url: string): void {
    if (this.#forbidden.has(url)) throw relayAddressRefused();
  }

  /** Ends the work with the tab. */
  guard<T>(work: Promise<T>): Promise<T> {
    return this.#ending.guard(work);
  }

  /** Resolves when the test passes, which runs again at each change. */
  until(test: () => boolean, limitMs: number, late: () => Error): Promise<void> {
    if (test()) return Promise.resolve();
    return this.guard(
      new Promise((resolve, reject) => {
        const watcher = () => {
          if (!test()) return;
          stop();
          resolve();
        };
        const stop = () => {
          this.#watchers.delete(watcher);
          clearTimeout(timer);
        };
        const timer = setTimeout(() => {
          stop();
          reject(late());
        }, limitMs);
        this.#watchers.add(watcher);
      }),
    );
  }

  /** Fails when this tab takes no calls. */
  requireUsable(): void {
    if (this.#phase.kind === 'closed') throw this.#phase.error;
    if (this.#phase.kind === 'crashed') throw crashedPage();
    if (!/^(?:chrome|chrome-extension|chrome-untrusted|devtools|edge):/.test(this.#url)) return;
    const message = `This tab shows a page of the browser itself, where nothing is done. Navigate it elsewhere.`;
    throw new BridgeError('permission_denied', message, { evidence: { url: this.#url } });
  }

  #leave(phase: Phase<Place>): void {
    if (this.#phase.kind === 'closed') return;
    const wasReady = this.#phase.kind === 'ready';
    this.#enter(phase);
    if (wasReady) this.emit({ kind: 'left' });
  }

  #enter(phase: Phase<Place>): void {
    if (this.#phase.kind === 'closed') return;
    this.#phase = phase;
    this.#notify();
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

export interface SettledDocument {
  readonly url: string;
  readonly title: string;
  /** The document declares itself a page of a relay (BRG-174). */
  readonly control?: boolean;
}

function closedTab(reason: string): BridgeError {
  const message = `The tab is gone: ${reason}. Open another, or list those there are.`;
  return new BridgeError('transport_failed', message, { evidence: { reason: 'closed' } });
}

function crashedPage(): BridgeError {
  const message = 'The page has crashed. Reload it, then take a new snapshot.';
  return new BridgeError('runtime_not_ready', message, { evidence: { reason: 'crashed' } });
}
