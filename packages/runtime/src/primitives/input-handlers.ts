import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import type { DragPlaces } from '../in-page/pointing.ts';
import { ELEMENT_HANDLERS } from './element-handlers.ts';
import type { HandlersOf } from './handler.ts';
import { type Hands, lacking, leavingAfter, masked } from './hands.ts';

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
    const { input } = hands.host;
    if (input === undefined)
      return { ...(await hands.inPage('pointer.click', args)), ...(await leavingAfter(hands)) };
    const { x, y, button = 'left', modifiers = [] } = args;
    const target = await targetAt({ x, y }, hands);
    await input.press({ x, y, button, count: 1, modifiers });
    return { clicked: true, x, y, modifiers, fidelity: 'trusted', target, ...(await leavingAfter(hands)) };
  },
  'pointer.double_click': async (args, hands) => {
    const { input } = hands.host;
    if (input === undefined)
      return { ...(await hands.inPage('pointer.double_click', args)), ...(await leavingAfter(hands)) };
    const { x, y } = args;
    const target = await targetAt({ x, y }, hands);
    await input.press({ x, y, button: 'left', count: 2, modifiers: [] });
    return { double_clicked: true, x, y, fidelity: 'trusted', target, ...(await leavingAfter(hands)) };
  },
  'pointer.drag': async (args, hands) => {
    const { input } = hands.host;
    if (input === undefined)
      return { ...(await hands.inPage('pointer.drag', args)), ...(await leavingAfter(hands)) };
    const { steps = DRAG_STEPS } = args;
    const { from, to, source } = await hands.page<DragPlaces>('pointer.places', args, pinned(hands));
    await input.drag(from, to, steps);
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

const pinned = ({ origin }: Hands) => (origin === undefined ? {} : { origin });

const targetAt = (point: InputOf<'pointer.double_click'>, hands: Hands): Promise<Target> =>
  hands.page<Target>('pointer.target', point, pinned(hands));

/** Trusted where the host can, unless the caller asks otherwise; refused where the caller insists and it cannot. */
function trustedInput(wanted: boolean | undefined, { host }: Hands) {
  if (wanted === true && host.input === undefined)
    throw lacking('trusted_input', host, 'Leave `trusted` out to have it done by page script.');
  return wanted === false ? undefined : host.input;
}

export const KEYBOARD_HANDLERS: HandlersOf<'keyboard.'> = {
  'keyboard.press': async ({ key, modifiers = [], trusted, repeat = 1 }, hands) => {
    const input = trustedInput(trusted, hands);
    const chord = [...modifiers, key].join('+');
    if (input === undefined) {
      const chords = Array.from({ length: repeat }, () => chord);
      const { left } = await pressInPage(chords, hands);
      return { pressed: true, key, modifiers, fidelity: 'synthetic', repeat, ...(left && { left }) };
    }
    // With its keys, so that the page knows who typed them.
    await hands.page('page.info', { keys: key }, pinned(hands));
    for (let time = 0; time < repeat; time++) await input.keys(chord);
    return { pressed: true, key, modifiers, fidelity: 'trusted', repeat, ...(await leavingAfter(hands)) };
  },
};

async function pressInPage(chords: readonly string[], hands: Hands) {
  const acted = await ELEMENT_HANDLERS['element.keys']({ keys: [...chords] }, hands);
  return acted.effect.navigation === 'document' ? leavingAfter(hands) : { left: undefined };
}

export const TEXT_HANDLERS: HandlersOf<'text.'> = {
  'text.insert': (args, hands) => hands.inPage('text.insert', args),
  'text.select': (args, hands) => hands.inPage('text.select', args),
  'text.type': async (args, hands) => {
    const input = trustedInput(args.trusted, hands);
    if (input === undefined) return hands.inPage('text.type', args);
    await hands.page('text.prepare', args, pinned(hands));
    await input.insertText(args.text);
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
    // As it is, and not masked: it goes into the page and nowhere else.
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
