import type { Clock } from '@drawbridge/base';
import type { Evaluator } from '@drawbridge/manifest';
import type { Manifest } from '@drawbridge/protocol/manifest';
import type { HostEvent, MapSource, SurfaceHost } from '@drawbridge/runtime';
import { refusal } from '../adapter.ts';
import { type PanelCalls, quietHost, startCalls } from './panel-calls.ts';
import { type Drift, driftEvidence, driftFromCall, failedCheck } from './panel-drift.ts';
import { extractPanel, type PanelView, readView, watchedTargets } from './panel-view.ts';

export interface PanelMeans extends Clock {
  readonly newId: () => string;
  readonly evaluator: Evaluator;
  /** How long a panel may take to show an action's effect. */
  readonly verifyMs?: number;
  /** How long a check may fail before it counts: panels re-render. */
  readonly driftMs?: number;
}

interface PanelOptions {
  readonly host: SurfaceHost;
  readonly maps: MapSource;
  readonly means: PanelMeans;
  readonly onClosed: () => void;
}

/** Polling interval while the agent works: growing text triggers no event. */
const BUSY_MS = 200;
/** Fallback polling for missed events. */
const IDLE_MS = 5_000;
const VERIFY_MS = 5_000;
const DRIFT_MS = 1_000;
/** Drift name for an invalid map. */
const MAP = 'map';

/** One chat panel: read whenever its page changes, and driven by its map. */
export class Panel {
  readonly #options: PanelOptions;
  readonly #host: SurfaceHost;
  readonly #calls: PanelCalls;
  readonly #listeners = new Set<() => void>();
  readonly #offs: (() => void)[];
  #view: PanelView | undefined;
  #seen = '';
  #drift: Drift | undefined;
  /** Drift found by a call or a reading, unknown to the checks. */
  #learnt: Drift | undefined;
  #failingSince: number | undefined;
  /** The last generation whose checks have run. */
  #checked: number | undefined;
  #evidence = '';
  #looking: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  #waiting = 0;
  #generation = 0;
  #cancelTimer: (() => void) | undefined;
  #isWatched = false;
  #isClosed = false;

  constructor(options: PanelOptions) {
    this.#options = options;
    this.#host = quietHost(options.host);
    const { maps, means } = options;
    this.#calls = startCalls({ host: this.#host, maps, evaluator: means.evaluator, newId: means.newId });
    this.#offs = [options.host.onEvent((event) => this.#receive(event)), maps.onChange(() => this.#renew())];
  }

  get view(): PanelView | undefined {
    return this.#view;
  }

  get drift(): Drift | undefined {
    return this.#learnt ?? this.#drift;
  }

  /** Evidence about the whole map, once part of it does not fit. */
  get evidence(): string {
    return this.#evidence;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Counts new documents and reloaded maps. */
  get generation(): number {
    return this.#generation;
  }

  get verifyMs(): number {
    return this.#options.means.verifyMs ?? VERIFY_MS;
  }

  map(): Manifest | undefined {
    const { offer } = this.#calls.map();
    return offer.ready ? offer.map : undefined;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs a tool of the map, then reads the panel. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    try {
      const output = await this.#calls.call(name, args);
      this.unlearn(name);
      return output;
    } finally {
      await this.look();
    }
  }

  /** Remembers drift shown by an error until the same call works again. */
  async blame(name: string, error: unknown): Promise<void> {
    const drift = driftFromCall(name, error);
    if (drift === undefined || this.#isClosed) return;
    await this.learn(drift);
  }

  async learn(drift: Drift): Promise<void> {
    if (this.#learnt?.check === drift.check) return;
    this.#learnt = drift;
    await this.#gather();
    this.#notify();
  }

  unlearn(check: string): void {
    if (this.#learnt?.check === check) this.#learnt = undefined;
  }

  /** Resolves with whether the condition held in time. */
  async until(fits: () => boolean, ms: number): Promise<boolean> {
    if (fits()) return true;
    this.#waiting += 1;
    return new Promise((resolve) => {
      const end = (isMet: boolean) => {
        this.#waiting -= 1;
        off();
        cancel();
        resolve(isMet);
      };
      const off = this.onChange(() => (fits() || this.#isClosed) && end(fits()));
      const cancel = this.#options.means.after(ms, () => end(fits()));
      void this.look();
    });
  }

  /** Resolves with a reading that began after this call. */
  look(): Promise<void> {
    const running = this.#looking;
    if (running === undefined) return this.#start();
    this.#following ??= running.then(() => {
      this.#following = undefined;
      return this.#start();
    });
    return this.#following;
  }

  /** Idempotent. Leaves the panel open. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const off of this.#offs) off();
    this.#cancelTimer?.();
    await this.#calls.close();
    await this.#host.close().catch(() => undefined);
    this.#notify();
  }

  #receive(event: HostEvent): void {
    if (event.kind === 'closed') void this.close().then(this.#options.onClosed);
    else if (event.kind === 'ready') this.#renew();
    else if (event.kind === 'notice') void this.look();
  }

  /** Drops findings about the previous document or map. */
  #renew(): void {
    this.#generation += 1;
    this.#learnt = undefined;
    this.#failingSince = undefined;
    this.#seen = '';
    this.#isWatched = false;
    void this.look();
  }

  #start(): Promise<void> {
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined;
      this.#next();
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    if (this.#isClosed) return;
    const map = this.map();
    if (map === undefined) return this.#unmapped();
    const drift = this.drift;
    const generation = this.#generation;
    this.unlearn(MAP);
    try {
      await this.#watch(map);
      const extracted = await extractPanel(map, this.#host);
      const hasChanged = extracted.text !== this.#seen;
      if (hasChanged) {
        this.#view = await readView(map, extracted, this.#host, this.#options.means.evaluator);
        this.#seen = extracted.text;
      }
      const isUnsure = this.#failingSince !== undefined || drift !== undefined;
      if (hasChanged || isUnsure || this.#checked !== generation) await this.#check(map);
      this.#checked = generation;
      if (hasChanged || drift !== this.drift) this.#notify();
    } catch (error) {
      if (!this.#isClosed) await this.#unreadable(error);
    }
  }

  /** Reports an edit that made the map invalid. */
  async #unmapped(): Promise<void> {
    const { offer, problems } = this.#calls.map();
    const [first] = offer.ready ? [] : offer.errors;
    const message = first === undefined ? problems[0] : `Line ${first.line}: ${first.message}`;
    if (message !== undefined) await this.learn({ status: 'agent_ui_changed', check: MAP, message });
  }

  async #watch(map: Manifest): Promise<void> {
    if (this.#isWatched) return;
    const watched = watchedTargets(map).map((target, index) => ({
      id: `watch-${index}`,
      kind: 'watch',
      target,
      lifecycle: {},
    }));
    await this.#host.callPage('observeAttachments', [watched]);
    this.#isWatched = true;
  }

  async #check(map: Manifest): Promise<void> {
    const { now, driftMs = DRIFT_MS } = this.#options.means;
    const failed = await failedCheck(map, this.#host);
    if (failed === undefined) {
      this.#failingSince = undefined;
      this.#drift = undefined;
      return;
    }
    this.#failingSince ??= now();
    if (now() - this.#failingSince < driftMs) return;
    if (this.#drift?.check === failed.check) return;
    this.#drift = failed;
    await this.#gather();
  }

  async #gather(): Promise<void> {
    const map = this.map();
    if (map === undefined) return;
    this.#evidence = await driftEvidence(map, this.#host).catch(() => '');
  }

  /** The document may be loading: reports only a lasting failure. */
  async #unreadable(error: unknown): Promise<void> {
    const { now, driftMs = DRIFT_MS } = this.#options.means;
    this.#failingSince ??= now();
    if (now() - this.#failingSince < driftMs || this.drift?.status === 'scraping_failed') return;
    const message = error instanceof Error ? error.message : String(error);
    this.#drift = { status: 'scraping_failed', check: 'reading', message };
    this.#notify();
  }

  #next(): void {
    this.#cancelTimer?.();
    if (this.#isClosed) return;
    const isBusy =
      this.#waiting > 0 ||
      (this.#failingSince !== undefined && this.#drift === undefined) ||
      this.#view === undefined ||
      this.#view.activity.kind !== 'idle';
    this.#cancelTimer = this.#options.means.after(isBusy ? BUSY_MS : IDLE_MS, () => void this.look());
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves when it was read and checked, or is known not to fit. */
  async settled(signal: AbortSignal): Promise<void> {
    const isChecked = () => this.#checked === this.#generation && this.#failingSince === undefined;
    const isSettled = () => (this.#view !== undefined && isChecked()) || this.drift !== undefined;
    while (!isSettled() && !this.#isClosed) {
      if (signal.aborted) throw refusal('launch_timeout', 'The panel did not come up in time.');
      await this.until(isSettled, BUSY_MS);
    }
  }
}
