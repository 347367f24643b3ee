import type { ActionResult, PreparedPress } from '@drawbridge/page';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { DocumentLeft } from '../host.ts';
import { placeFor, pressGuarded, refusal } from './guarded-press.ts';
import type { HandlersOf } from './handler.ts';
import type { Hands } from './hands.ts';

type Acted = OutputOf<'element.click'>;
type Expected = InputOf<'element.click'>['expected'];

/** Actions by id: page code finds the element, acts and reports the effect. */
export const ELEMENT_HANDLERS: HandlersOf<'element.'> = {
  'element.click': (args, hands) => pressed('click', args, 1, hands),
  'element.double_click': (args, hands) => pressed('double_click', args, 2, hands),
  'element.hover': async ({ id, expected }, hands) => {
    const acted = await act('hover', hands, [id, optionsOf(expected, hands)]);
    const { input } = hands.host;
    if (input === undefined || acted.id === undefined) return acted;
    // The page's hover styles follow only a real pointer.
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
  'element.keys': async (args, hands) => {
    const { token } = await placeFor('element.keys', args, hands);
    return pressKeys(args, hands, { token });
  },
};

/** `token` of the focused element, as it was classified. */
export function pressKeys(
  { id, keys, expected }: InputOf<'element.keys'>,
  hands: Hands,
  bound: { readonly token?: string } = {},
): Promise<Acted> {
  return act('keys', hands, [
    keys,
    { ...optionsOf(expected, hands), ...(id !== undefined && { id }), ...bound },
  ]);
}

const optionsOf = (expected: Expected, { origin }: Hands) => ({
  ...(expected !== undefined && { expected }),
  ...(origin !== undefined && { origin }),
});

type Pressing = InputOf<'element.click'>;

/** Trusted input: the page finds the place, the host presses, the page reports the effect. */
async function pressed(
  action: 'click' | 'double_click',
  args: Pressing,
  count: number,
  hands: Hands,
): Promise<Acted> {
  const { button = 'left', modifiers = [] } = args;
  const { input } = hands.host;
  const place = await placeFor(`element.${action}`, args, hands);
  const { point, token, id, healed } = place;
  const fidelity = input === undefined ? ('synthetic' as const) : ('trusted' as const);
  const known = { action, id, fidelity, ...(healed && { healed }) };
  if (input === undefined) {
    const how = { modifiers, ...(button !== 'left' && { button }) };
    return concluded(hands.page<ActionResult>('pressPrepared', token, count, how), known, hands);
  }
  await pressGuarded(place, point, hands, () =>
    input.press({ ...point, button, count, modifiers: [...modifiers] }),
  );
  return concluded(hands.page<ActionResult>('confirm', token), known, hands);
}

async function restPointer(id: string, hands: Hands): Promise<void> {
  const prepared = await hands.page<PreparedPress | { ok: false }>('preparePress', id);
  if (!prepared.ok) return;
  await hands.host.input?.move(prepared.point);
  // Nothing was pressed: this only removes the guard.
  await hands.page('confirm', prepared.token);
}

function act(method: string, hands: Hands, args: readonly unknown[], action = method): Promise<Acted> {
  const [id] = args;
  const known = { action, ...(typeof id === 'string' && { id }), fidelity: 'synthetic' as const };
  return concluded(hands.page<ActionResult>(method, ...args), known, hands);
}

/** An action that navigates takes page code with it; the navigation is then its effect. */
async function concluded(
  answer: Promise<ActionResult>,
  known: Pick<Acted, 'action' | 'id' | 'fidelity' | 'healed'>,
  { journey, host, requireAddress }: Hands,
): Promise<Acted> {
  const result = await answer.catch((error: unknown) => {
    if (error instanceof DocumentLeft) return undefined;
    throw error;
  });
  // The new document does not know a press prepared in the previous one.
  const isForgotten =
    result?.ok === false && result.error.evidence['reason'] === 'not_pressed' && journey.hasLeft();
  if (result?.ok === false && !isForgotten) throw refusal(result.error);
  if (result === undefined || !result.ok) {
    const arrived = await journey.arrival();
    return leftWith(known, journey.from, arrived?.url ?? host.surface().url);
  }
  const { ok: _, ...told } = parseActed(result);
  // A prepared press does not know its repeat count.
  const acted = { ...told, action: known.action };
  if (acted.effect.navigation !== 'document') return acted;
  const arrived = await journey.arrival();
  if (arrived === undefined) {
    await requireAddress?.(acted.effect.url?.to ?? journey.from);
    return acted;
  }
  return { ...acted, effect: { ...acted.effect, url: { from: journey.from, to: arrived.url } } };
}

/** Page code's lists are read-only; the wire's are not. */
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
