import type { Signal } from '@drawbridge/protocol/manifest';
import { cleanAnswer } from '../extract/clean-value.ts';
import { locate } from '../locate/locate.ts';
import type { LocateScene } from '../locate/locator.ts';
import { PageError } from '../locate/page-error.ts';

/** A page event for the signal gate of the map engine, which judges rate, payload and a person's choice. */
export interface SignalEvent {
  readonly type: 'signal';
  readonly event: string;
  readonly detail: unknown;
  /** Names of the signals whose target's element the event came from. */
  readonly from: readonly string[];
  /** False for anything that a script of the page made up. */
  readonly is_trusted: boolean;
}

/** An event whose detail is no JSON, or too much of it: the engine cannot be given it. */
export interface UnreadableSignal {
  readonly type: 'signal_unreadable';
  readonly event: string;
}

export interface SignalListener {
  /** Listens for the events of these signals, and for no others any more. */
  readonly listen: (signals: readonly Signal[]) => void;
  readonly close: () => void;
}

export interface SignalOptions {
  readonly scene: LocateScene;
  readonly tell: (event: SignalEvent | UnreadableSignal) => void;
}

/** As the engine's own limit. */
const MAX_DETAIL_CHARS = 16_000;

export function createSignalListener({ scene, tell }: SignalOptions): SignalListener {
  const { document } = scene;
  const view = document.defaultView;
  let declared: readonly Signal[] = [];
  let names = new Set<string>();

  const hear = (event: Event) => {
    const detail = jsonOf(Reflect.get(event, 'detail'));
    if (detail === undefined) return tell({ type: 'signal_unreadable', event: event.type });
    tell({
      type: 'signal',
      event: event.type,
      detail: cleanAnswer(detail, scene.cleaner()),
      from: declared
        .filter((signal) => signal.event === event.type && comesFrom(event, signal))
        .map(({ name }) => name),
      is_trusted: event.isTrusted,
    });
  };

  function comesFrom(event: Event, { target }: Signal): boolean {
    if (target === undefined) return false;
    const path = event.composedPath();
    try {
      return locate(target, scene).elements.some((element) => path.includes(element));
    } catch (error) {
      if (error instanceof PageError) return false;
      throw error;
    }
  }

  // At the window and on the way down: an event that does not bubble passes here, and no page can stop it first.
  function stop(): void {
    for (const name of names) view?.removeEventListener(name, hear, true);
    names = new Set();
  }

  return {
    listen(signals) {
      stop();
      declared = signals.filter(({ direction }) => direction !== 'agent_to_html');
      names = new Set(declared.flatMap(({ event }) => event ?? []));
      for (const name of names) view?.addEventListener(name, hear, true);
    },
    close: stop,
  };
}

/** Cut off from whatever the page made it of; undefined where it is no JSON. */
function jsonOf(detail: unknown): unknown {
  try {
    const text = JSON.stringify(detail ?? null);
    return text === undefined || text.length > MAX_DETAIL_CHARS ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
