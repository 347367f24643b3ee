import type { CallRequest } from '@drawbridge/bridge';
import type { StableCode } from '../scripts/gen/bridge-matrix-cells.ts';
import type { Answer } from './matrix-agent.suite.ts';
import type { Stand } from './matrix-stand.suite.ts';

const atGarden = (stand: Stand, name: string, args: object = {}, more: Partial<CallRequest> = {}) =>
  stand.ask({ name, arguments: { ...args }, runtime_id: stand.garden, ...more });

const locate = (selector: string) => ({ locator: { selector } });

async function press(stand: Stand, selector: string): Promise<void> {
  const found = await atGarden(stand, 'locator.element_info', locate(selector));
  const id = 'output' in found && Reflect.get(Object(found.output), 'id');
  const pressed = await atGarden(stand, 'element.click', { id });
  if (pressed.type !== 'action_call_output') throw new Error(JSON.stringify(pressed.error));
}

/** What really brings each code about. */
export const SITUATIONS: Readonly<Record<StableCode, (stand: Stand) => Promise<Answer>>> = {
  unknown_action: (stand) => atGarden(stand, 'fly'),
  invalid_input: (stand) => atGarden(stand, 'garden.water', { litres: 'much' }),
  runtime_not_ready: async (stand) => {
    const { runtime_id, cut } = await stand.guest();
    await cut();
    return stand.ask({ name: 'page.info', arguments: {}, runtime_id });
  },
  permission_denied: (stand) => atGarden(stand, 'garden.pay'),
  ambiguous_runtime: async (stand) => {
    const { cut } = await stand.guest();
    const answer = await stand.ask({ name: 'page.info', arguments: {}, target_url_contains: '127.0.0.1' });
    await cut();
    return answer;
  },
  runtime_not_found: (stand) =>
    stand.ask({ name: 'page.info', arguments: {}, target_title_contains: 'Greenhouse' }),
  capability_unavailable: (stand) =>
    atGarden(stand, ['cdp', 'extension'].includes(stand.host) ? 'garden.spray' : 'browser.screenshot'),
  missing_handler: (stand) => atGarden(stand, 'garden.magic'),
  handler_failed: (stand) => atGarden(stand, 'page.fetch', { url: '/hang-up' }),
  handler_timeout: (stand) =>
    atGarden(stand, 'locator.wait_for', { ...locate('#never'), timeout_ms: 20_000 }, { timeout_ms: 150 }),
  invalid_result: (stand) => atGarden(stand, 'garden.measure'),
  target_not_found: (stand) => atGarden(stand, 'locator.element_info', locate('#orchid')),
  state_mismatch: (stand) => atGarden(stand, 'garden.pick'),
  drift_detected: (stand) => atGarden(stand, 'garden.prune'),
  unsafe_state: async (stand) => {
    await press(stand, '#lamp');
    const answer = await atGarden(stand, 'garden.water');
    await press(stand, '#lamp');
    return answer;
  },
  transport_failed: async (stand) => {
    const { runtime_id, cut } = await stand.guest();
    const waiting = stand.ask({
      name: 'locator.wait_for',
      arguments: { ...locate('#never'), timeout_ms: 20_000 },
      runtime_id,
      // A new worker of the extension says what became of the call; of the others nobody comes back.
      timeout_ms: stand.host === 'extension' ? 20_000 : 1_500,
    });
    await cut();
    return waiting;
  },
};

export const drops = async (stand: Stand): Promise<unknown> => {
  const answer = await atGarden(stand, 'locator.text_content', locate('#water'));
  return 'output' in answer ? Reflect.get(Object(answer.output), 'text') : answer.error;
};
