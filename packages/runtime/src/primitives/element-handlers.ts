import { delay } from '@drawbridge/base';
import type { ActionResult, Prepared, PreparedPress } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { DocumentLeft, type Point, type TrustedInput } from '../host.ts';
import { type Judged, seenByHost, watchDrawing } from './drawing-watch.ts';
import { filesForPage, withSaved } from './file-handlers.ts';
import { pressGuarded, readyPressFor, refusal } from './guarded-press.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerContext, lacking } from './handler-context.ts';

type Acted = OutputOf<'element.click'>;
type Expected = InputOf<'element.click'>['expected'];

/** Actions by id: page code finds the element, acts and reports the effect. */
export const ELEMENT_HANDLERS: HandlersOf<'element.'> = {
  'element.click': (args, context) => pressed('click', args, args.count ?? 1, context),
  'element.double_click': (args, context) => pressed('double_click', args, 2, context),
  'element.hover': (args, context) =>
    moved('hover', args, {}, context, async (input, path) => {
      for (const point of path) await input.move(point);
    }),
  'element.wheel': (args, context) => {
    const [x = 0, y = 0] = args.by;
    return moved('wheel', args, { wheel: [x, y] }, context, async (input, [at = { x: 0, y: 0 }]) => {
      await input.move(at);
      await input.wheel(at, { x, y });
    });
  },
  'element.drag': dragged,
  'element.select_text': ({ id, expected, ...what }, context) =>
    act('selectText', context, [id, { ...optionsOf(expected, context), ...what }], 'select_text'),
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
  'element.keys': keyed,
};

/** Chords that put the selection on the clipboard. */
const COPIES = /(?:^|\+)(?:Control|Ctrl|Meta|Cmd|Command)\+[cx]$/i;

async function keyed(args: InputOf<'element.keys'>, context: HandlerContext): Promise<Acted> {
  const { hold_ms, phase, id } = args;
  const { input, clipboard } = context.host;
  const press = await readyPressFor('element.keys', args, context);
  const { token, on } = press;
  const told = on === undefined || id !== undefined ? {} : { on };
  if (input === undefined) {
    if ((phase ?? hold_ms) !== undefined) {
      await context.page('releasePress', token);
      throw lacking('trusted_input', context.host, 'Page script cannot hold a key down: press it instead.');
    }
    return { ...(await pressKeys(args, context, { token })), ...told };
  }
  const chords = [args.keys].flat();
  const held = hold_ms === undefined ? {} : { held: () => delay(context.clock, hold_ms, context.signal) };
  // Records the keys, so that the page knows that the agent typed them.
  await context.page('page.info', { keys: chords.join(' ') }, pinned(context));
  await pressGuarded(press, undefined, context, async () => {
    for (const chord of chords) {
      // Only the selection counts as copied: without one, the person's text stays on the clipboard.
      const copied = COPIES.test(chord) ? await selectionIn(context) : undefined;
      await input.keys(chord, { ...held, ...(phase && { phase }) });
      if (copied !== undefined) clipboard?.own(copied);
    }
  });
  const known = { action: 'keys', ...(id !== undefined && { id }), fidelity: 'trusted' as const };
  const acted = await concluded(context.page<ActionResult>('confirm', token), known, context);
  return { ...acted, ...told };
}

/** Undefined when nothing is selected, or a secret is. */
const selectionIn = (context: HandlerContext): Promise<string | undefined> =>
  context
    .page<{ readonly text: string }>('clipboard.selection', {}, pinned(context))
    .then(({ text }) => text)
    .catch(() => undefined);

const pinned = ({ origin }: HandlerContext) => (origin === undefined ? {} : { origin });

/** Moves the pointer without a press: page code finds the points and reports the effect. */
async function moved(
  way: 'hover' | 'wheel',
  args: InputOf<'element.hover'>,
  how: { readonly wheel?: readonly [number, number] },
  context: HandlerContext,
  move: (input: TrustedInput, path: readonly Point[]) => Promise<void>,
): Promise<Acted> {
  const { id, at, path, expected } = args;
  const { input } = context.host;
  const options = { ...optionsOf(expected, context), ...(at && { at }), ...(path && { path }), way };
  const prepared = await context.page<Prepared>('preparePress', id ?? null, options);
  if (!prepared.ok) throw refusal(prepared.error);
  const { token, on } = prepared;
  const known = knownOf(way, prepared, input);
  if (input === undefined)
    return {
      ...(await concluded(context.page<ActionResult>('pressPrepared', token, 1, how), known, context)),
      ...(on !== undefined && { on }),
    };
  await move(input, prepared.path ?? [prepared.point]);
  const acted = await concluded(context.page<ActionResult>('confirm', token), known, context);
  return { ...acted, ...(on !== undefined && { on }) };
}

const DRAG_STEPS = 8;

async function dragged(args: InputOf<'element.drag'>, context: HandlerContext): Promise<Acted> {
  const { input } = context.host;
  const press = await readyPressFor('element.drag', args, context);
  const { token, on, path = [press.point] } = press;
  const known = knownOf('drag', press, input);
  const told = on === undefined ? {} : { on };
  if (input === undefined && args.touch === true) {
    await context.page('releasePress', token).catch(() => undefined);
    throw lacking('trusted_input', context.host, 'Page script cannot touch: drag instead.');
  }
  if (input === undefined)
    return {
      ...(await concluded(context.page<ActionResult>('pressPrepared', token, 1, {}), known, context)),
      ...told,
    };
  const withDrawing = press.drawing === undefined ? undefined : await watchDrawing(press, context);
  await pressGuarded(press, press.point, context, () =>
    args.touch === true ? input.swipe(path, DRAG_STEPS) : input.drag(path, DRAG_STEPS),
  );
  const acted = await concluded(context.page<ActionResult>('confirm', token), known, context, withDrawing);
  return { ...acted, ...told };
}

const knownOf = (action: string, { id, healed }: PreparedPress, input: TrustedInput | undefined) => ({
  action,
  ...(id !== '' && { id }),
  fidelity: input === undefined ? ('synthetic' as const) : ('trusted' as const),
  ...(healed && { healed }),
});

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
  const { button = 'left', modifiers = [], hold_ms, until, touch = false } = args;
  const { input } = context.host;
  const press = await readyPressFor(`element.${action}`, args, context);
  const { point, token, on } = press;
  const known = knownOf(action, press, input);
  const told = on === undefined ? {} : { on };
  if (until !== undefined && (await heldFor(0, until, context))) {
    await context.page('releasePress', token).catch(() => undefined);
    const message = `${action}: the page shows this text already. Name one that comes only while the button is held, or give a time.`;
    throw new BridgeError('invalid_input', message, { evidence: { reason: 'wrong_value', until } });
  }
  const longest = until === undefined ? hold_ms : (hold_ms ?? LONGEST_HOLD_MS);
  if (input === undefined) {
    if (touch) {
      await context.page('releasePress', token);
      throw lacking('trusted_input', context.host, 'Page script cannot touch: click instead.');
    }
    const hold = longest === undefined ? {} : { hold_ms: longest, ...(until !== undefined && { until }) };
    const how = { modifiers, ...(button !== 'left' && { button }), ...hold };
    const acted = context.page<ActionResult>('pressPrepared', token, count, how);
    return { ...(await concluded(acted, known, context)), ...told };
  }
  let isMet = true;
  const held =
    longest === undefined
      ? undefined
      : async () => {
          isMet = await heldFor(longest, until, context);
        };
  const withDrawing = press.drawing === undefined ? undefined : await watchDrawing(press, context);
  await pressGuarded(press, point, context, (now = point) =>
    touch
      ? input.tap(now, count, held)
      : input.press({ ...now, button, count, modifiers: [...modifiers] }, held),
  );
  const acted = await concluded(context.page<ActionResult>('confirm', token), known, context, withDrawing);
  if (isMet) return { ...acted, ...told };
  const verification_message = `${action}: the text did not come while the button was held.`;
  return { ...acted, ...told, achieved: false, verification_passed: false, verification_message };
}

const LONGEST_HOLD_MS = 10_000;

/** False when the awaited text did not come. */
async function heldFor(ms: number, until: string | undefined, context: HandlerContext): Promise<boolean> {
  if (until === undefined) {
    await delay(context.clock, ms, context.signal);
    return true;
  }
  try {
    await context.page('page.wait', { for: 'text', text: until, timeout_ms: ms }, pinned(context));
    return true;
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'handler_timeout') return false;
    throw error;
  }
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
async function concluded(
  answer: Promise<ActionResult>,
  known: Pick<Acted, 'action' | 'id' | 'fidelity' | 'healed'>,
  context: HandlerContext,
  withDrawing?: (acted: Judged) => Promise<Judged>,
): Promise<Acted> {
  const told = await effectOf(answer, known, context);
  const { unseen, ...seen } = withDrawing === undefined ? told : await withDrawing(told);
  const saved = await withSaved(seen, context);
  const { unseen: _, ...acted } = await withTab({ ...saved, ...(unseen && { unseen }) }, context);
  return acted;
}

/** Without a debugger, the browser reports a new tab shortly after the press. */
const OPENING_MS = 300;

/** Page code does not see a tab that the page opened, so it may have seen nothing. */
async function withTab(acted: Judged, { navigation, host }: HandlerContext): Promise<Judged> {
  const isLate = host.tabs !== undefined && host.input === undefined && !acted.effect.happened;
  if (!(await navigation.opensTab(isLate ? OPENING_MS : 0))) return acted;
  return seenByHost(acted, { ...acted.effect, opens_tab: true }, 'a new tab opened');
}

async function effectOf(
  answer: Promise<ActionResult>,
  known: Pick<Acted, 'action' | 'id' | 'fidelity' | 'healed'>,
  context: HandlerContext,
): Promise<Judged> {
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
  const { ok: _, ...told } = trustActed(result);
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
  { host: { requests, findsListeners }, clock, page, requestMark }: HandlerContext,
): Promise<ActionResult> {
  let result = await answer;
  const again = () => page<ActionResult>('observeAgain', id === undefined ? {} : { id });
  const endsAt = clock.now() + REQUESTS_LIMIT_MS;
  const isPending = () => result.ok && !isLeaving(result) && (requests?.since(requestMark) ?? 0) > 0;
  while (isPending() && clock.now() < endsAt) {
    await requests?.finished(requestMark, endsAt - clock.now());
    result = await again();
  }
  // New elements may have listeners that only the host can find: with ids they can be pressed.
  if (findsListeners && hasNews(result) && !isPending()) result = await again();
  if (!isPending() || !result.ok) return result;
  return { ...result, effect: { ...result.effect, settled: 'timeout: network busy' } };
}

const hasNews = (result: ActionResult): boolean =>
  result.ok && !isLeaving(result) && (result.effect.seen ?? []).some((words) => words.startsWith('new: '));

const isLeaving = (result: ActionResult): boolean => result.ok && result.effect.navigation === 'document';

/** Page code's lists are read-only; the wire's are not. */
function trustActed(result: unknown): Judged & { readonly ok: true } {
  return result as Judged & { readonly ok: true };
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
