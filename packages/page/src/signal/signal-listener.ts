import type { Signal } from '@drawbridge/protocol/manifest';
import { cleanAnswer } from '../extract/clean-value.ts';
import { locate } from '../locate/locate.ts';
import type { LocateContext } from '../locate/locator.ts';
import { PageError } from '../locate/page-error.ts';

/** A page event for the map engine's signal gate, which checks rate, payload and the person's choice. */
export interface SignalEvent {
  readonly type: 'signal';
  readonly event: string;
  readonly detail: unknown;
  /** Names of the signals whose target contains the event's element. */
  readonly from: readonly string[];
  /** False for events made by a page script. */
  readonly is_trusted: boolean;
}

/** An event whose detail is not JSON, or too large for the engine. */
export interface UnreadableSignal {
  readonly type: 'signal_unreadable';
  readonly event: string;
}

export interface SignalOptions {
  readonly context: LocateContext;
  readonly send: (event: SignalEvent | UnreadableSignal) => void;
}

/** Equals the engine's limit. */
const MAX_DETAIL_CHARS = 16_000;

export function createSignalListener({ context, send }: SignalOptions) {
  const { document } = context;
  const view = document.defaultView;
  let declared: readonly Signal[] = [];
  let names = new Set<string>();

  const receive = (event: Event) => {
    const detail = jsonOf(Reflect.get(event, 'detail'));
    if (detail === undefined) return send({ type: 'signal_unreadable', event: event.type });
    send({
      type: 'signal',
      event: event.type,
      detail: cleanAnswer(detail, context.cleaner()),
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
      return locate(target, context).elements.some((element) => path.includes(element));
    } catch (error) {
      if (error instanceof PageError) return false;
      throw error;
    }
  }

  // Captures at the window, where non-bubbling events pass too and no page can stop them first.
  function stop(): void {
    for (const name of names) view?.removeEventListener(name, receive, true);
    names = new Set();
  }

  return {
    /** Replaces the signals to listen for. */
    listen(signals: readonly Signal[]): void {
      stop();
      declared = signals.filter(({ direction }) => direction !== 'agent_to_html');
      names = new Set(declared.flatMap(({ event }) => event ?? []));
      for (const name of names) view?.addEventListener(name, receive, true);
    },
    close: stop,
  };
}

/** A deep copy; undefined when it is not JSON. */
function jsonOf(detail: unknown): unknown {
  try {
    const text = JSON.stringify(detail ?? null);
    return text === undefined || text.length > MAX_DETAIL_CHARS ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
