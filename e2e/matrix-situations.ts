import type { CallRequest } from '@drawbridge/bridge';
import type { StableCode } from '../scripts/gen/bridge-matrix-cells.ts';
import type { Answer } from './matrix-agent.ts';
import type { MatrixHarness } from './matrix-harness.ts';

const atMatrixPage = (
  harness: MatrixHarness,
  name: string,
  args: object = {},
  more: Partial<CallRequest> = {},
) => harness.ask({ name, arguments: { ...args }, runtime_id: harness.testPage, ...more });

const locate = (selector: string) => ({ locator: { selector } });

async function press(harness: MatrixHarness, selector: string): Promise<void> {
  const found = await atMatrixPage(harness, 'locator.element_info', locate(selector));
  const id = 'output' in found && Reflect.get(Object(found.output), 'id');
  const pressed = await atMatrixPage(harness, 'element.click', { id });
  if (pressed.type !== 'action_call_output') throw new Error(JSON.stringify(pressed.error));
}

/** Causes each code for real. */
export const SITUATIONS: Readonly<Record<StableCode, (harness: MatrixHarness) => Promise<Answer>>> = {
  unknown_action: (harness) => atMatrixPage(harness, 'fly'),
  invalid_input: (harness) => atMatrixPage(harness, 'garden.water', { litres: 'much' }),
  runtime_not_ready: async (harness) => {
    const { runtime_id, cut } = await harness.guest();
    await cut();
    return harness.ask({ name: 'page.info', arguments: {}, runtime_id });
  },
  permission_denied: (harness) => atMatrixPage(harness, 'garden.pay'),
  ambiguous_runtime: async (harness) => {
    const { cut } = await harness.guest();
    const answer = await harness.ask({ name: 'page.info', arguments: {}, target_url_contains: '127.0.0.1' });
    await cut();
    return answer;
  },
  runtime_not_found: (harness) =>
    harness.ask({ name: 'page.info', arguments: {}, target_title_contains: 'Greenhouse' }),
  capability_unavailable: (harness) =>
    atMatrixPage(
      harness,
      ['cdp', 'extension'].includes(harness.host) ? 'garden.spray' : 'browser.screenshot',
    ),
  missing_handler: (harness) => atMatrixPage(harness, 'garden.magic'),
  handler_failed: (harness) => atMatrixPage(harness, 'page.fetch', { url: '/hang-up' }),
  handler_timeout: (harness) =>
    atMatrixPage(
      harness,
      'locator.wait_for',
      { ...locate('#never'), timeout_ms: 20_000 },
      { timeout_ms: 150 },
    ),
  invalid_result: (harness) => atMatrixPage(harness, 'garden.measure'),
  target_not_found: (harness) => atMatrixPage(harness, 'locator.element_info', locate('#orchid')),
  state_mismatch: (harness) => atMatrixPage(harness, 'garden.pick'),
  drift_detected: (harness) => atMatrixPage(harness, 'garden.prune'),
  unsafe_state: async (harness) => {
    await press(harness, '#lamp');
    const answer = await atMatrixPage(harness, 'garden.water');
    await press(harness, '#lamp');
    return answer;
  },
  transport_failed: async (harness) => {
    const { runtime_id, cut } = await harness.guest();
    const waiting = harness.ask({
      name: 'locator.wait_for',
      arguments: { ...locate('#never'), timeout_ms: 20_000 },
      runtime_id,
      // A new worker of the extension reports the outcome of the call; other hosts do not come back.
      timeout_ms: harness.host === 'extension' ? 20_000 : 1_500,
    });
    await cut();
    return waiting;
  },
};

export const drops = async (harness: MatrixHarness): Promise<unknown> => {
  const answer = await atMatrixPage(harness, 'locator.text_content', locate('#water'));
  return 'output' in answer ? Reflect.get(Object(answer.output), 'text') : answer.error;
};
