import type { ActionResult, PreparedPress, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { DocumentLeft } from '../host.ts';
import { preparePress } from './early-press.ts';
import type { HandlersOf } from './handler.ts';
import type { Hands } from './hands.ts';

type Acted = OutputOf<'element.click'>;
type Expected = InputOf<'element.click'>['expected'];

/** Everything by id: the page code finds the element, acts, and says what came of it. */
export const ELEMENT_HANDLERS: HandlersOf<'element.'> = {
  'element.click': (args, hands) => pressed('click', args, 1, hands),
  'element.double_click': (args, hands) => pressed('double_click', args, 2, hands),
  'element.hover': async ({ id, expected }, hands) => {
    const acted = await act('hover', hands, [id, optionsOf(expected, hands)]);
    const { input } = hands.host;
    if (input === undefined || acted.id === undefined) return acted;
    // The page's own styles for what is under the pointer follow only a real one.
    await restPointer(acted.id, hands);
    return { ...acted, fidelity: 'trusted' };
  },
  'element.focus': ({ id, expected }, hands) => act('focus', hands, [id, optionsOf(expected, hands)]),
  'element.fill': ({ id, text, expected }, hands) =>
    act('fill', hands, [id, text, optionsOf(expected, hands)]),
  'element.type': ({ id, text, expected }, hands) =>
    act('type', hands, [id, text, optionsOf(expected, hands)]),
  'element.select': ({ id, choice, expected }, hands) =>
    act('select', hands, [id, choice, optionsOf(expected, hands)]),
  'element.check': ({ id, expected }, hands) => act('check', hands, [id, optionsOf(expected, hands)]),
  'element.uncheck': ({ id, expected }, hands) => act('uncheck', hands, [id, optionsOf(expected, hands)]),
  'element.upload': ({ id, files, expected }, hands) =>
    act('upload', hands, [id, files, optionsOf(expected, hands)]),
  'element.scroll_to': ({ id, expected, ...where }, hands) =>
    act('scroll', hands, [id, { ...optionsOf(expected, hands), ...where }], 'scroll_to'),
  'element.drag': ({ id, to_id, expected }, hands) =>
    act('drag', hands, [id, to_id, optionsOf(expected, hands)]),
  'element.keys': ({ id, keys, expected }, hands) =>
    act('keys', hands, [keys, { ...optionsOf(expected, hands), ...(id !== undefined && { id }) }]),
};

const optionsOf = (expected: Expected, { origin }: Hands) => ({
  ...(expected !== undefined && { expected }),
  ...(origin !== undefined && { origin }),
});

type Pressing = InputOf<'element.click'>;

/** With trusted input: the page says where, the host presses, the page says what came of it. */
async function pressed(
  action: 'click' | 'double_click',
  args: Pressing,
  count: number,
  hands: Hands,
): Promise<Acted> {
  const { id, expected, button = 'left', modifiers = [] } = args;
  const { input } = hands.host;
  if (input === undefined) {
    const chosen = {
      ...optionsOf(expected, hands),
      modifiers,
      button: button === 'left' ? undefined : button,
    };
    return act(action === 'click' ? 'click' : 'doubleClick', hands, [id, chosen], action);
  }
  const prepared = await (hands.early?.take() ?? preparePress(args, hands));
  if (!prepared.ok) throw refusal(prepared.error);
  const { point, token } = prepared;
  await input.press({ ...point, button, count, modifiers: [...modifiers] });
  const { id: acted, healed } = prepared;
  const known = { action, id: acted, fidelity: 'trusted' as const, ...(healed && { healed }) };
  return concluded(hands.page<ActionResult>('confirm', token), known, hands);
}

async function restPointer(id: string, hands: Hands): Promise<void> {
  const prepared = await hands.page<PreparedPress | { ok: false }>('preparePress', id);
  if (!prepared.ok) return;
  await hands.host.input?.move(prepared.point);
  // Nothing is pressed: this only takes the guard off the page again.
  await hands.page('confirm', prepared.token);
}

function act(method: string, hands: Hands, args: readonly unknown[], action = method): Promise<Acted> {
  const [id] = args;
  const known = { action, ...(typeof id === 'string' && { id }), fidelity: 'synthetic' as const };
  return concluded(hands.page<ActionResult>(method, ...args), known, hands);
}

/** An act that makes the document leave takes the page code with it: then the navigation is its effect. */
async function concluded(
  answer: Promise<ActionResult>,
  known: Pick<Acted, 'action' | 'id' | 'fidelity' | 'healed'>,
  { journey, host }: Hands,
): Promise<Acted> {
  const result = await answer.catch((error: unknown) => {
    if (error instanceof DocumentLeft) return undefined;
    throw error;
  });
  // The document that came knows nothing of a press that was prepared in the one that left.
  const isForgotten =
    result?.ok === false && result.error.evidence['reason'] === 'not_pressed' && journey.hasLeft();
  if (result?.ok === false && !isForgotten) throw refusal(result.error);
  if (result === undefined || !result.ok) {
    const arrived = await journey.arrival();
    return leftWith(known, journey.from, arrived?.url ?? host.surface().url);
  }
  const { ok: _, ...told } = parseActed(result);
  // A prepared press does not know how often it is pressed.
  const acted = { ...told, action: known.action };
  if (acted.effect.navigation !== 'document') return acted;
  const arrived = await journey.arrival();
  if (arrived === undefined) return acted;
  return { ...acted, effect: { ...acted.effect, url: { from: journey.from, to: arrived.url } } };
}

/** The page code's lists are read-only; the wire's are not. */
function parseActed(result: unknown): Acted & { readonly ok: true } {
  return result as Acted & { readonly ok: true };
}

function leftWith(
  known: Pick<Acted, 'action' | 'id' | 'fidelity' | 'healed'>,
  from: string,
  to: string,
): Acted {
  return {
    ...known,
    effect: {
      happened: true,
      url: { from, to },
      navigation: 'document',
      added: [],
      removed: [],
      changed: [],
      dialogs: [],
      requests: 1,
      errors: [],
      successes: [],
      messages: [],
      settled: 'leaving',
    },
    verification_passed: true,
    verification_message: `${known.action}: the document left for ${to} before more could be seen.`,
    errors_detected: [],
    success_messages: [],
    clientObservations: { didNetworkOccur: true, didDomMutate: true, didUrlChange: from !== to },
  };
}

const refusal = ({ code, message, evidence }: RefusalData): BridgeError =>
  new BridgeError(code, message, { evidence });
