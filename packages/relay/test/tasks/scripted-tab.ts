import type { Bridge } from '@drawbridge/bridge';
import type { BridgeItem } from '@drawbridge/protocol';

type Call = Extract<BridgeItem, { readonly type: 'action_call' }>;

/** A tab whose page counts its clicks. */
export interface ScriptedTab {
  readonly id: string;
  /** Acts that reached the tab, in order. */
  readonly acts: string[];
  /** From now on an act starts but is not answered until `release`. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Resolves when this many acts have started. */
  readonly begun: (count: number) => Promise<void>;
  readonly ready: BridgeItem;
  readonly receive: (item: BridgeItem) => void;
  readonly close: () => void;
}

const ACTS = new Set(['element.click', 'browser.navigate']);

/** A tab of this process. */
export function lendTab(bridge: Pick<Bridge, 'connectRuntime'>, id: string, key?: string): ScriptedTab {
  const connection = bridge.connectRuntime({ send: (item) => tab.receive(item) });
  const tab = scriptTab(id, connection.receive, () => connection.close('The tab was closed.'), { key });
  connection.receive(tab.ready);
  return tab;
}

/** A tab's answers, over any transport. With the acts of an earlier connection it is the same page. */
export function scriptTab(
  id: string,
  send: (item: BridgeItem) => void,
  close: () => void,
  { key, acts = [] }: { readonly key?: string | undefined; readonly acts?: string[] } = {},
): ScriptedTab {
  const held: Call[] = [];
  const looks = new Set<() => void>();
  let isHolding = false;
  let url = 'https://shop.example/';

  const answer = (call: Call): void => {
    if (call.name === 'browser.navigate') url = String(call.arguments['url']);
    const output = outputOf(call, url, acts.length);
    const of = { runtime_id: id, call_id: call.call_id };
    const error = { code: 'unsupported_action', message: `There is no ${call.name} here.` };
    if (output === undefined) send({ type: 'action_error', ...of, error });
    else send({ type: 'action_call_output', ...of, output });
  };
  return {
    id,
    acts,
    close,
    ready: {
      ...{ type: 'runtime_ready', runtime_id: id, url, title: 'Shop', features: ['action_cancel'] },
      ...(key !== undefined && { runtime_key: key }),
    },
    receive(item) {
      if (item.type !== 'action_call') return;
      const isAct = ACTS.has(item.name);
      if (isAct) acts.push(`${item.name} ${String(item.arguments['id'] ?? item.arguments['url'])}`);
      if (isAct && isHolding) held.push(item);
      else answer(item);
      for (const look of looks) look();
    },
    hold() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      for (const call of held.splice(0)) answer(call);
    },
    begun: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (acts.length < count) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
  };
}

function outputOf({ name }: Call, url: string, acts: number): object | undefined {
  const location = { url, title: 'Shop' };
  const interactive_tree = [
    { i: '7', r: 'btn', n: 'Add to cart' },
    { i: '8', r: 'link', n: `Cart (${acts})` },
  ];
  const outputs: Readonly<Record<string, object>> = {
    'page.wait': { matched: true, for: 'stable', elapsed_ms: 1, url },
    'page.info': location,
    'page.snapshot': { mode: 'semantic', page: { mode: 'semantic', ...location, interactive_tree } },
    'browser.navigate': { navigated: true, ...location },
    'element.click': CLICKED,
  };
  return outputs[name];
}

const CLICKED = {
  ...{ action: 'click', id: '7', fidelity: 'trusted' },
  effect: {
    ...{ happened: true, added: [], removed: [], changed: [{ i: '8', n: 'Cart (1)' }], dialogs: [] },
    ...{ requests: 1, errors: [], successes: [], messages: [], settled: 'quiet' },
  },
  ...{ verification_passed: true, verification_message: 'click: 1 changed' },
  ...{ errors_detected: [], success_messages: [] },
  clientObservations: { didNetworkOccur: true, didDomMutate: true, didUrlChange: false },
};
