import { type Bridge, createBridge, errorItem } from '@drawbridge/bridge';
import { type ActionCall, type Asker, BridgeError } from '@drawbridge/protocol';
import { PIXEL } from './fixture-media.ts';

export const RUNTIME_ID = '123';

export function startBridge(): Bridge {
  return createBridge({
    clock: {
      now: Date.now,
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    ids: () => crypto.randomUUID(),
  });
}

/** A tab without a browser that answers the calls mapped from the suite's fixtures. */
export function lendTab(bridge: Bridge, asker: Asker): void {
  const answers: Record<string, (call: ActionCall) => unknown> = {
    'page.read': () => ({ text: 'This is a simple text response for testing.' }),
    'browser.screenshot': () => ({ image: PIXEL, mime_type: 'image/png', width: 1, height: 1 }),
    'page.wait': () => {
      throw new BridgeError('handler_failed', 'This tool intentionally returns an error for testing.');
    },
    'actions.site': ({ call_id }) => {
      for (const progress of [0, 50, 100])
        connection.receive({
          type: 'action_progress',
          call_id,
          runtime_id: RUNTIME_ID,
          progress,
          total: 100,
        });
      return { done: true };
    },
    'browser.close_tab': async ({ call_id, name }) => {
      const { decision } = await asker.ask(
        {
          question_id: crypto.randomUUID(),
          runtime_id: RUNTIME_ID,
          call_id,
          origin: 'https://shop.example',
          name,
          effect: 'irreversible',
          sentence: 'Close the tab at https://shop.example',
          data: [],
          call_hash: call_id,
          expires_at: Date.now() + 10_000,
        },
        new AbortController().signal,
      );
      if (decision === 'deny') throw new BridgeError('permission_denied', 'The person said no.');
      return {};
    },
  };
  const answer = async (call: ActionCall) => {
    const to = { call_id: call.call_id, runtime_id: RUNTIME_ID };
    try {
      const output = await answers[call.name]?.(call);
      connection.receive({ type: 'action_call_output', ...to, output: output ?? null });
    } catch (error) {
      const known = error instanceof BridgeError ? error : new BridgeError('handler_failed', String(error));
      connection.receive(errorItem(known, to));
    }
  };
  const connection = bridge.connectRuntime({
    send(item) {
      if (item.type === 'action_call') void answer(item);
    },
  });
  connection.receive({
    type: 'runtime_ready',
    runtime_id: RUNTIME_ID,
    url: 'https://shop.example/lamps',
    title: 'Lamps 123',
    capabilities: Object.keys(answers),
    features: ['action_progress'],
    manifest: MAP,
  });
}

const MAP = {
  protocol: 'actions.json',
  version: 1,
  surface: { origin: 'https://shop.example', name: 'Shop 123' },
};
