import type { ActionResult, PreparedPress } from '@drawbridge/page';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { DocumentLeft } from '../host.ts';
import { filesForPage, withSaved } from './file-handlers.ts';
import { pressGuarded, readyPressFor, refusal } from './guarded-press.ts';
import type { HandlersOf } from './handler.ts';
import type { HandlerContext } from './handler-context.ts';

type Acted = OutputOf<'element.click'>;
type Expected = InputOf<'element.click'>['expected'];

/** Actions by id: page code finds the element, acts and reports the effect. */
export const ELEMENT_HANDLERS: HandlersOf<'element.'> = {
  'element.click': (args, context) => pressed('click', args, 1, context),
  'element.double_click': (args, context) => pressed('double_click', args, 2, context),
  'element.hover': async ({ id, expected }, context) => {
    const acted = await act('hover', context, [id, optionsOf(expected, context)]);
    const { input } = context.host;
    if (input === undefined || acted.id === undefined) return acted;
    // The page's hover styles follow only a real pointer.
    await restPointer(acted.id, context);
    const known = { action: 'hover', id: acted.id, fidelity: 'trusted' as const };
    const seen = await concluded(
      context.page<ActionResult>('observeAgain', { id: acted.id }),
      known,
      context,
    );
    return { ...seen, fidelity: 'trusted' };
  },
  'element.focus': ({ id, expected }, context) => act('focus', context, [id, optionsOf(expected, context)]),
  'element.fill': ({ id, text, expected }, context) =>
    act('fill', context, [id, text, optionsOf(expected, context)]),
  'element.type': ({ id, text, expected }, context) =>
    act('type', context, [id, text, optionsOf(expected, context)]),
  'element.select': ({ id, choice, expected }, context) =>
    act('select', context, [id, choice, optionsOf(expected, context)]),
  'element.check': ({ id, expected }, context) => act('check', context, [id, optionsOf(expected, context)]),
  'element.uncheck': ({ id, expected }, context) =>
    act('uncheck', context, [id, optionsOf(expected, context)]),
  'element.upload': async ({ id, files, expected }, context) =>
    act('upload', context, [id, await filesForPage(id, files, context), optionsOf(expected, context)]),
  'element.scroll_to': ({ id, expected, ...where }, context) =>
    act('scroll', context, [id, { ...optionsOf(expected, context), ...where }], 'scroll_to'),
  'element.drag': ({ id, to_id, expected }, context) =>
    act('drag', context, [id, to_id, optionsOf(expected, context)]),
  'element.keys': async (args, context) => {
    const { token } = await readyPressFor('element.keys', args, context);
    return pressKeys(args, context, { token });
  },
};

/** `token` of the focused element, as it was classified. */
export function pressKeys(
  { id, keys, expected }: InputOf<'element.keys'>,
  context: HandlerContext,
  bound: { readonly token?: string } = {},
): Promise<Acted> {
  return act('keys', context, [
    keys,
    { ...optionsOf(expected, context), ...(id !== undefined && { id }), ...bound },
  ]);
}

const optionsOf = (expected: Expected, { origin }: HandlerContext) => ({
  ...(expected !== undefined && { expected }),
  ...(origin !== undefined && { origin }),
});

type Pressing = InputOf<'element.click'>;

/** Trusted input: the page finds the place, the host presses, the page reports the effect. */
async function pressed(
  action: 'click' | 'double_click',
  args: Pressing,
  count: number,
  context: HandlerContext,
): Promise<Acted> {
  const { button = 'left', modifiers = [] } = args;
  const { input } = context.host;
  const press = await readyPressFor(`element.${action}`, args, context);
  const { point, token, id, healed } = press;
  const fidelity = input === undefined ? ('synthetic' as const) : ('trusted' as const);
  const known = { action, id, fidelity, ...(healed && { healed }) };
  if (input === undefined) {
    const how = { modifiers, ...(button !== 'left' && { button }) };
    return concluded(context.page<ActionResult>('pressPrepared', token, count, how), known, context);
  }
  await pressGuarded(press, point, context, () =>
    input.press({ ...point, button, count, modifiers: [...modifiers] }),
  );
  return concluded(context.page<ActionResult>('confirm', token), known, context);
}

async function restPointer(id: string, context: HandlerContext): Promise<void> {
  const prepared = await context.page<PreparedPress | { ok: false }>('preparePress', id, {
    unobserved: true,
  });
  if (!prepared.ok) return;
  await context.host.input?.move(prepared.point);
  // Nothing was pressed: this only removes the guard.
  await context.page('confirm', prepared.token);
}

function act(
  method: string,
  context: HandlerContext,
  args: readonly unknown[],
  action = method,
): Promise<Acted> {
  const [id] = args;
  const known = { action, ...(typeof id === 'string' && { id }), fidelity: 'synthetic' as const };
  return concluded(context.page<ActionResult>(method, ...args), known, context);
}

/** An action that navigates takes page code with it; the navigation is then its effect. */
function concluded(
  answer: Promise<ActionResult>,
  known: Pick<Acted, 'action' | 'id' | 'fidelity' | 'healed'>,
  context: HandlerContext,
): Promise<Acted> {
  return withSaved(effectOf(answer, known, context), context);
}

async function effectOf(
  answer: Promise<ActionResult>,
  known: Pick<Acted, 'action' | 'id' | 'fidelity' | 'healed'>,
  context: HandlerContext,
): Promise<Acted> {
  const { navigation, host, requireAddress } = context;
  const result = await untilAnswered(answer, known.id, context).catch((error: unknown) => {
    if (error instanceof DocumentLeft) return undefined;
    throw error;
  });
  // The new document does not know a press prepared in the previous one.
  const isForgotten =
    result?.ok === false && result.error.evidence['reason'] === 'not_pressed' && navigation.hasLeft();
  if (result?.ok === false && !isForgotten) throw refusal(result.error);
  if (result === undefined || !result.ok) {
    const arrived = await navigation.arrival();
    return leftWith(known, navigation.from, arrived?.url ?? host.surface().url);
  }
  const { ok: _, ...told } = parseActed(result);
  // A prepared press does not know its repeat count.
  const acted = { ...told, action: known.action };
  if (acted.effect.navigation !== 'document') return acted;
  const arrived = await navigation.arrival();
  if (arrived === undefined) {
    await requireAddress?.(acted.effect.url?.to ?? navigation.from);
    return acted;
  }
  return { ...acted, effect: { ...acted.effect, url: { from: navigation.from, to: arrived.url } } };
}

/** A page that asks its server is looked at again when it has the answers. */
const REQUESTS_LIMIT_MS = 3_000;

async function untilAnswered(
  answer: Promise<ActionResult>,
  id: string | undefined,
  { host: { requests }, clock, page, requestMark }: HandlerContext,
): Promise<ActionResult> {
  let result = await answer;
  const endsAt = clock.now() + REQUESTS_LIMIT_MS;
  const isPending = () => result.ok && !isLeaving(result) && (requests?.since(requestMark) ?? 0) > 0;
  while (isPending() && clock.now() < endsAt) {
    await requests?.finished(requestMark, endsAt - clock.now());
    result = await page<ActionResult>('observeAgain', id === undefined ? {} : { id });
  }
  if (!isPending() || !result.ok) return result;
  return { ...result, effect: { ...result.effect, settled: 'timeout: network busy' } };
}

const isLeaving = (result: ActionResult): boolean => result.ok && result.effect.navigation === 'document';

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
