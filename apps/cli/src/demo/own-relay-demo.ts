import type { DemoView } from '@drawbridge/protocol/http';
import type { Relay, RelayDemo } from '@drawbridge/relay';
import { browserBinary } from '@drawbridge/runtime/cdp';
import type { DataFolder } from '../live/data-folder.ts';

export interface OwnRelayDemo extends RelayDemo {
  /** Enables the demo. */
  readonly open: (relay: Relay) => void;
  /** Ends it at any point. Idempotent. */
  readonly close: () => Promise<void>;
}

/** The story of `drawbridge demo` at a running relay, started from the web app. */
export function createOwnRelayDemo(data: DataFolder): OwnRelayDemo {
  const ending = new AbortController();
  let relay: Relay | undefined;
  let view: DemoView = { state: 'ready', said: '', done: [] };
  let played = Promise.resolve();

  const play = async (startedRelay: Relay): Promise<void> => {
    try {
      // Loaded on demand: it contains a shop and a proxy.
      const { playInRelay } = await import('./relay-play.ts');
      await playInRelay(startedRelay, data, ending.signal, (said, isOutcome, launched) => {
        const { done, session_id = launched } = view;
        view = {
          ...{ state: 'playing', said: isOutcome ? '' : said, done: isOutcome ? [...done, said] : done },
          ...(session_id !== undefined && { session_id }),
        };
      });
      view = { ...view, state: 'played', said: 'The demo is over. You can read it again in these sessions.' };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      view = { ...view, state: 'failed', said: `The demo failed: ${message}` };
    }
  };

  return {
    view: () => view,
    open(opened) {
      relay = opened;
    },
    async start() {
      // Throws with advice if there is no browser.
      browserBinary();
      if (relay === undefined || ending.signal.aborted)
        throw new Error('The relay is starting or stopping. Try again in a moment.');
      view = { state: 'playing', said: 'A shop opens, and a browser to buy in.', done: [] };
      played = play(relay);
    },
    close() {
      ending.abort();
      return played;
    },
  };
}
