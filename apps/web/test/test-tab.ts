import type { WebHarness } from './web-harness.ts';

type Loose = Readonly<Record<string, unknown>>;

/** One pixel. */
export const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const tool = (name: string, description: string, effect: string) => ({
  ...{ name, description, input_schema: { type: 'object' } },
  x_actions: { effect, handler: name },
});

const MANIFEST = {
  protocol: 'actions.json',
  version: 1,
  surface: { name: 'Lamp shop', origin: 'https://shop.example', description: 'Lamps, and how to buy them.' },
  tools: [
    tool('add_to_cart', 'Puts a lamp into the cart.', 'act'),
    tool('pay', 'Pays what is in the cart.', 'irreversible'),
  ],
  checks: [
    {
      ...{ id: 'has_cart', description: 'The cart is where it was', severity: 'major' },
      assertions: [{ target: { selector: '#cart' }, visible: true }],
    },
  ],
};
const GRANTS: readonly Loose[] = [
  { grant_id: 'g1', origin: 'https://shop.example', name: 'add_to_cart', effect: 'act', by: 'Desk' },
  { grant_id: 'g2', origin: '*', effect: 'read', by: 'Desk' },
];

const CLICKED = {
  ...{ action: 'click', id: '7', fidelity: 'trusted' },
  effect: {
    ...{ happened: true, added: [], removed: [], changed: [{ i: '7', n: 'In the cart' }], dialogs: [] },
    ...{ requests: 1, errors: [], successes: [], messages: [], settled: 'quiet' },
  },
  ...{ verification_passed: true, verification_message: 'click: 1 changed' },
  ...{ errors_detected: [], success_messages: [] },
  clientObservations: { didNetworkOccur: true, didDomMutate: true, didUrlChange: false },
};

const ONE_PIXEL = { image: DOT, mime_type: 'image/png', width: 1, height: 1 };

const LAMPS = { url: 'https://shop.example/lamps', title: 'Desk lamps' };

/** A lent shop tab: a cart to click, a picture, a map and two grants. */
export function lendTab(
  { relay: { bridge } }: WebHarness,
  runtime_id = 'tab_1',
  page: Loose = LAMPS,
  picture: Loose = ONE_PIXEL,
) {
  let grants = GRANTS;
  let hasDrifted = false;
  const location = { ...LAMPS, ...page };
  const interactive_tree = [{ i: '7', r: 'btn', n: 'Add to cart' }];
  const outputs: Readonly<Record<string, Loose>> = {
    'page.wait': { matched: true, for: 'stable', elapsed_ms: 1, url: location.url },
    'page.info': location,
    'page.snapshot': { mode: 'semantic', page: { mode: 'semantic', ...location, interactive_tree } },
    'browser.navigate': { navigated: true, ...location },
    'browser.screenshot': picture,
    'element.click': CLICKED,
    'locator.element_info': { candidate_count: 1, visible: true, selector: '#cart', used_fallback: false },
  };
  const hold = () => connection.receive({ type: 'grants_held', runtime_id, grants });
  const connection = bridge.connectRuntime({
    send(item) {
      if (item.type === 'grants_revoked') {
        const { grant_id } = item;
        grants = grants.filter((grant) => grant_id !== undefined && grant['grant_id'] !== grant_id);
        hold();
      }
      if (item.type === 'grants_renewed') {
        const { by } = item;
        grants = ['read', 'act'].map((effect) => ({ grant_id: `g_${effect}`, origin: '*', effect, by }));
        hold();
      }
      if (item.type !== 'action_call') return;
      const of = { runtime_id, call_id: item.call_id };
      if (hasDrifted && item.name === 'locator.element_info') {
        const error = { code: 'target_not_found', message: 'Nothing fits #cart.' };
        return connection.receive({ type: 'action_error', ...of, error });
      }
      const output = outputs[item.name];
      const error = { code: 'unsupported_action', message: `There is no ${item.name} here.` };
      if (output) connection.receive({ type: 'action_call_output', ...of, output });
      else connection.receive({ type: 'action_error', ...of, error });
    },
  });
  connection.receive({
    type: 'runtime_ready',
    runtime_id,
    ...location,
    manifest: MANIFEST,
    features: ['grants', 'grants_renewed'],
  });
  hold();
  return {
    /** Rebuilds the page: its map no longer finds the cart. */
    drift() {
      hasDrifted = true;
    },
    close: () => connection.close('The tab was closed.'),
  };
}
