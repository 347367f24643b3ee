import type { Confirmed } from '@drawbridge/page';
import type { DragPoints } from '@drawbridge/page/calls';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { pressKeys } from './element-handlers.ts';
import { pressGuarded, type ReadyPress, readyPressFor, refusal, requireLanded } from './guarded-press.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerContext, lacking, leavingAfter, masked } from './handler-context.ts';
import { repeatedPaths } from './repeated-key.ts';

type Target = OutputOf<'pointer.click'>['target'];

const DRAG_STEPS = 1;

export const POINTER_HANDLERS: HandlersOf<'pointer.'> = {
  'pointer.move': async (args, context) => {
    const { x, y } = args;
    const { input } = context.host;
    if (input === undefined) return context.inPage('pointer.move', args);
    await context.page('pointer.target', { x, y });
    await input.move({ x, y });
    return { x, y };
  },
  'pointer.click': async (args, context) => {
    const { x, y, button = 'left', modifiers = [] } = args;
    const { target, fidelity } = await pressAt('pointer.click', args, 1, { button, modifiers }, context);
    return { clicked: true, x, y, modifiers, fidelity, target, ...(await leavingAfter(context)) };
  },
  'pointer.double_click': async (args, context) => {
    const { x, y } = args;
    const { target, fidelity } = await pressAt('pointer.double_click', args, 2, {}, context);
    return { double_clicked: true, x, y, fidelity, target, ...(await leavingAfter(context)) };
  },
  'pointer.drag': async (args, context) => {
    const { input } = context.host;
    if (input === undefined)
      return { ...(await context.inPage('pointer.drag', args)), ...(await leavingAfter(context)) };
    const { steps = DRAG_STEPS } = args;
    const press = await readyPressFor('pointer.drag', args, context);
    const { from, to, source } = trustDrag(press);
    await pressGuarded(press, from, context, () => input.drag([from, to], steps));
    await requireLanded(press, context);
    const diagnostics = { source, native_drag: true };
    return {
      dragged: true,
      from,
      to,
      steps,
      fidelity: 'trusted',
      diagnostics,
      ...(await leavingAfter(context)),
    };
  },
};

/** Presses the innermost element at a point, as it was classified. */
async function pressAt(
  name: 'pointer.click' | 'pointer.double_click',
  args: InputOf<'pointer.double_click'>,
  count: number,
  how: Pick<InputOf<'pointer.click'>, 'button' | 'modifiers'>,
  context: HandlerContext,
): Promise<{ target: Target; fidelity: 'trusted' | 'synthetic' }> {
  const { x, y } = args;
  const { input } = context.host;
  const press = await readyPressFor(name, { ...args }, context);
  const target = trustTarget(press);
  if (input === undefined) {
    const pressed = await context.page<Confirmed>('pressBriefly', press.token, count, how);
    if (!pressed.ok) throw refusal(pressed.error);
    return { target, fidelity: 'synthetic' };
  }
  const { button = 'left', modifiers = [] } = how;
  await pressGuarded(press, { x, y }, context, () => input.press({ x, y, button, count, modifiers }));
  await requireLanded(press, context);
  return { target, fidelity: 'trusted' };
}

// Trusted: page code supplies both ends of a drag and the element at a point.

function trustDrag(press: ReadyPress): DragPoints {
  return press as ReadyPress & DragPoints;
}

function trustTarget({ target }: ReadyPress): Target {
  return target as Target;
}

const pinned = ({ origin }: HandlerContext) => (origin === undefined ? {} : { origin });

/** Trusted by default where the host supports it; fails when the caller requires it and the host lacks it. */
function trustedInput(wanted: boolean | undefined, { host }: HandlerContext) {
  if (wanted === true && host.input === undefined)
    throw lacking('trusted_input', host, 'Leave `trusted` out to have it done by page script.');
  return wanted === false ? undefined : host.input;
}

export const KEYBOARD_HANDLERS: HandlersOf<'keyboard.'> = {
  'keyboard.press': async (args, context) => {
    const { key, modifiers = [], trusted, repeat = 1 } = args;
    const input = trustedInput(trusted, context);
    const chord = [...modifiers, key].join('+');
    const fidelity = input === undefined ? 'synthetic' : 'trusted';
    if (repeat === 0) return { pressed: true, key, modifiers, fidelity, repeat };
    const presses = repeatedPaths(args, context);
    if (input === undefined) {
      let left: Awaited<ReturnType<typeof pressInPage>>['left'];
      for await (const { token } of presses) ({ left } = await pressInPage([chord], token, context));
      return { pressed: true, key, modifiers, fidelity, repeat, ...(left && { left }) };
    }
    // Records the keys, so that the page knows that the agent typed them.
    await context.page('page.info', { keys: key }, pinned(context));
    for await (const press of presses) {
      await pressGuarded(press, undefined, context, () => input.keys(chord));
      await requireLanded(press, context);
    }
    return { pressed: true, key, modifiers, fidelity, repeat, ...(await leavingAfter(context)) };
  },
};

async function pressInPage(chords: readonly string[], token: string, context: HandlerContext) {
  const acted = await pressKeys({ keys: [...chords] }, context, { token });
  return acted.effect.navigation === 'document' ? leavingAfter(context) : { left: undefined };
}

export const TEXT_HANDLERS: HandlersOf<'text.'> = {
  'text.insert': (args, context) => context.inPage('text.insert', args),
  'text.select': (args, context) => context.inPage('text.select', args),
  'text.type': async (args, context) => {
    const input = trustedInput(args.trusted, context);
    if (input === undefined) return context.inPage('text.type', args);
    const press = await readyPressFor('text.type', { ...args }, context);
    await context.page('text.prepare', args, pinned(context));
    await pressGuarded(press, undefined, context, () => input.insertText(args.text));
    await requireLanded(press, context);
    return { typed: true, typed_length: args.text.length, fidelity: 'trusted' };
  },
};

export const CLIPBOARD_HANDLERS: HandlersOf<'clipboard.'> = {
  'clipboard.read': async (args, context) => {
    const { clipboard } = context.host;
    if (clipboard === undefined) return context.inPage('clipboard.read', args);
    const [text = ''] = await masked([await clipboard.read()], context);
    return { text };
  },
  'clipboard.write': (args, context) => writeClipboard(args.text, context),
  'clipboard.copy': async (_, context) => {
    const { text } = await context.page<{ text: string }>('clipboard.selection', {}, pinned(context));
    const { length } = await writeClipboard(text, context);
    return { copied: true, length, text };
  },
  'clipboard.paste': async (args, context) => {
    const given = args.text !== undefined || args.html !== undefined;
    // Unmasked, because it goes into the page only.
    const text = given ? undefined : await context.host.clipboard?.read();
    return context.inPage('clipboard.paste', text === undefined ? args : { ...args, text });
  },
};

async function writeClipboard(text: string, context: HandlerContext): Promise<OutputOf<'clipboard.write'>> {
  const { clipboard } = context.host;
  if (clipboard === undefined) return context.inPage('clipboard.write', { text });
  await clipboard.write(text);
  return { written: true, length: text.length };
}
