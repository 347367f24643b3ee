import type { Confirmed } from '@drawbridge/page';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import type { DragPlaces } from '../in-page/pointing.ts';
import { pressKeys } from './element-handlers.ts';
import { placeFor, pressGuarded, type ReadyPlace, refusal, requireLanded } from './guarded-press.ts';
import type { HandlersOf } from './handler.ts';
import { type Hands, lacking, leavingAfter, masked } from './hands.ts';
import { repeatedPlaces } from './repeated-key.ts';

type Target = OutputOf<'pointer.click'>['target'];

const DRAG_STEPS = 1;

export const POINTER_HANDLERS: HandlersOf<'pointer.'> = {
  'pointer.move': async (args, hands) => {
    const { x, y } = args;
    const { input } = hands.host;
    if (input === undefined) return hands.inPage('pointer.move', args);
    await hands.page('pointer.target', { x, y });
    await input.move({ x, y });
    return { x, y };
  },
  'pointer.click': async (args, hands) => {
    const { x, y, button = 'left', modifiers = [] } = args;
    const { target, fidelity } = await pressAt('pointer.click', args, 1, { button, modifiers }, hands);
    return { clicked: true, x, y, modifiers, fidelity, target, ...(await leavingAfter(hands)) };
  },
  'pointer.double_click': async (args, hands) => {
    const { x, y } = args;
    const { target, fidelity } = await pressAt('pointer.double_click', args, 2, {}, hands);
    return { double_clicked: true, x, y, fidelity, target, ...(await leavingAfter(hands)) };
  },
  'pointer.drag': async (args, hands) => {
    const { input } = hands.host;
    if (input === undefined)
      return { ...(await hands.inPage('pointer.drag', args)), ...(await leavingAfter(hands)) };
    const { steps = DRAG_STEPS } = args;
    const place = await placeFor('pointer.drag', args, hands);
    const { from, to, source } = parseDrag(place);
    await pressGuarded(place, from, hands, () => input.drag(from, to, steps));
    await requireLanded(place, hands);
    const diagnostics = { source, native_drag: true };
    return {
      dragged: true,
      from,
      to,
      steps,
      fidelity: 'trusted',
      diagnostics,
      ...(await leavingAfter(hands)),
    };
  },
};

/** Presses the innermost element at a point, as it was classified. */
async function pressAt(
  name: 'pointer.click' | 'pointer.double_click',
  args: InputOf<'pointer.double_click'>,
  count: number,
  how: Pick<InputOf<'pointer.click'>, 'button' | 'modifiers'>,
  hands: Hands,
): Promise<{ target: Target; fidelity: 'trusted' | 'synthetic' }> {
  const { x, y } = args;
  const { input } = hands.host;
  const place = await placeFor(name, { ...args }, hands);
  const target = parseTarget(place);
  if (input === undefined) {
    const pressed = await hands.page<Confirmed>('pressBriefly', place.token, count, how);
    if (!pressed.ok) throw refusal(pressed.error);
    return { target, fidelity: 'synthetic' };
  }
  const { button = 'left', modifiers = [] } = how;
  await pressGuarded(place, { x, y }, hands, () => input.press({ x, y, button, count, modifiers }));
  await requireLanded(place, hands);
  return { target, fidelity: 'trusted' };
}

// Trusted: page code supplies both ends of a drag and the element at a point.

function parseDrag(place: ReadyPlace): DragPlaces {
  return place as ReadyPlace & DragPlaces;
}

function parseTarget({ target }: ReadyPlace): Target {
  return target as Target;
}

const pinned = ({ origin }: Hands) => (origin === undefined ? {} : { origin });

/** Trusted by default where the host supports it; fails when the caller requires it and the host lacks it. */
function trustedInput(wanted: boolean | undefined, { host }: Hands) {
  if (wanted === true && host.input === undefined)
    throw lacking('trusted_input', host, 'Leave `trusted` out to have it done by page script.');
  return wanted === false ? undefined : host.input;
}

export const KEYBOARD_HANDLERS: HandlersOf<'keyboard.'> = {
  'keyboard.press': async (args, hands) => {
    const { key, modifiers = [], trusted, repeat = 1 } = args;
    const input = trustedInput(trusted, hands);
    const chord = [...modifiers, key].join('+');
    const places = repeatedPlaces(args, hands);
    if (input === undefined) {
      let left: Awaited<ReturnType<typeof pressInPage>>['left'];
      for await (const { token } of places) ({ left } = await pressInPage([chord], token, hands));
      return { pressed: true, key, modifiers, fidelity: 'synthetic', repeat, ...(left && { left }) };
    }
    // Records the keys, so that the page knows that the agent typed them.
    await hands.page('page.info', { keys: key }, pinned(hands));
    for await (const place of places) {
      await pressGuarded(place, undefined, hands, () => input.keys(chord));
      await requireLanded(place, hands);
    }
    return { pressed: true, key, modifiers, fidelity: 'trusted', repeat, ...(await leavingAfter(hands)) };
  },
};

async function pressInPage(chords: readonly string[], token: string, hands: Hands) {
  const acted = await pressKeys({ keys: [...chords] }, hands, { token });
  return acted.effect.navigation === 'document' ? leavingAfter(hands) : { left: undefined };
}

export const TEXT_HANDLERS: HandlersOf<'text.'> = {
  'text.insert': (args, hands) => hands.inPage('text.insert', args),
  'text.select': (args, hands) => hands.inPage('text.select', args),
  'text.type': async (args, hands) => {
    const input = trustedInput(args.trusted, hands);
    if (input === undefined) return hands.inPage('text.type', args);
    const place = await placeFor('text.type', { ...args }, hands);
    await hands.page('text.prepare', args, pinned(hands));
    await pressGuarded(place, undefined, hands, () => input.insertText(args.text));
    await requireLanded(place, hands);
    return { typed: true, typed_length: args.text.length, fidelity: 'trusted' };
  },
};

export const CLIPBOARD_HANDLERS: HandlersOf<'clipboard.'> = {
  'clipboard.read': async (args, hands) => {
    const { clipboard } = hands.host;
    if (clipboard === undefined) return hands.inPage('clipboard.read', args);
    const [text = ''] = await masked([await clipboard.read()], hands);
    return { text };
  },
  'clipboard.write': (args, hands) => writeClipboard(args.text, hands),
  'clipboard.copy': async (_, hands) => {
    const { text } = await hands.page<{ text: string }>('clipboard.selection', {}, pinned(hands));
    const { length } = await writeClipboard(text, hands);
    return { copied: true, length, text };
  },
  'clipboard.paste': async (args, hands) => {
    const given = args.text !== undefined || args.html !== undefined;
    // Unmasked, because it goes into the page only.
    const text = given ? undefined : await hands.host.clipboard?.read();
    return hands.inPage('clipboard.paste', text === undefined ? args : { ...args, text });
  },
};

async function writeClipboard(text: string, hands: Hands): Promise<OutputOf<'clipboard.write'>> {
  const { clipboard } = hands.host;
  if (clipboard === undefined) return hands.inPage('clipboard.write', { text });
  await clipboard.write(text);
  return { written: true, length: text.length };
}
