import { PageLeft } from '@drawbridge/manifest';
import type { HandField } from '@drawbridge/page/calls';
import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { DocumentLeft, type SurfaceHost } from '../host.ts';

type Args = Readonly<Record<string, unknown>>;
type Slider = Extract<HandField, { readonly kind: 'slider' }>;

/** The hands of one call: every key and drag is permitted like one that was asked for. */
export interface Hands {
  readonly run: (name: string, args: Args) => Promise<unknown>;
  readonly look: (id: string) => Promise<HandField | null>;
  readonly isTrusted: boolean;
}

/** Looks at fields of the page that the call was permitted for: null when the page or the field has left. */
export const handsOf = (host: SurfaceHost, origin: string, run: Hands['run']): Hands => ({
  run,
  isTrusted: host.input !== undefined,
  async look(id) {
    try {
      return trustField(await host.callPage('act.hand_field', [{ id }, { origin }]));
    } catch (error) {
      if (error instanceof DocumentLeft || error instanceof BridgeError) return null;
      throw error;
    }
  },
});

const MOST_KEYS = 100;
const MOST_DRAGS = 4;
/** A grip that is pressed here is away from its place, so that the page gets a movement. */
const NUDGE_PX = 8;

const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;
const IN_PARTS = /^\d[\d:.TW-]*$/;
const COLOUR = /^#[\da-f]{6}$/i;

/** Fills a field; where the page heard nothing of it, a slider, date, time or colour is set as a hand does. */
export async function fillByHand(args: Args, hands: Hands): Promise<unknown> {
  const { id, text = '' } = args;
  if (typeof id !== 'string' || typeof text !== 'string') return hands.run('element.fill', args);
  const before = COLOUR.test(text) ? await hands.look(id) : null;
  const filled = await hands.run('element.fill', args).catch((error: unknown) => {
    if (takesNoText(error) && NUMBER.test(text)) return error;
    throw error;
  });
  const isRefused = filled instanceof Error;
  if (!isRefused && !isUnheard(text, filled)) return filled;
  const now = isObject(filled) && typeof filled['id'] === 'string' ? filled['id'] : id;
  const field = await hands.look(now);
  const set = async () => {
    if (field?.kind === 'slider' && NUMBER.test(text))
      return slideTo(now, Number(text), field, isRefused, hands);
    if (isRefused) return undefined;
    if (field?.kind === 'parts') return confirmByKeys(now, text, hands);
    if (field?.kind === 'colour' && before?.kind === 'colour')
      return pickColour(now, before.value, field.value, hands);
    return undefined;
  };
  try {
    return (await set()) ?? given(filled);
  } catch (error) {
    // The field has its value: only the page may not have noticed.
    if (isRefused || !(error instanceof BridgeError) || ENDED.has(error.code)) throw error;
    const { value } = (await hands.look(now)) ?? {};
    if (field !== null && value !== undefined && value !== field.value)
      await hands.run('element.fill', { id: now, text });
    return isObject(filled) ? { ...filled, by_hand_failed: error.message } : filled;
  }
}

/** The call itself is over. */
const ENDED: ReadonlySet<string> = new Set(['cancelled', 'timeout']);

function given(filled: unknown): unknown {
  if (filled instanceof Error) throw filled;
  return filled;
}

const takesNoText = (error: unknown): boolean =>
  error instanceof BridgeError && error.evidence['reason'] === 'not_editable';

const COUNTED = ['added', 'removed', 'seen', 'messages', 'dialogs', 'errors', 'successes'];

/** Whether a fill changed nothing but its own field. A page may hear the mouse or the keyboard alone. */
function isUnheard(text: string, filled: unknown): boolean {
  if (![NUMBER, IN_PARTS, COLOUR].some((form) => form.test(text)) || filled instanceof PageLeft) return false;
  const effect = isObject(filled) && isObject(filled['effect']) ? filled['effect'] : {};
  const length = (name: string) => [effect[name] ?? []].flat().length;
  return (
    length('changed') <= 1 &&
    COUNTED.every((name) => length(name) === 0) &&
    (effect['requests'] ?? 0) === 0 &&
    effect['navigation'] === undefined
  );
}

const by = (how: 'keys' | 'dragging', output: unknown): unknown =>
  isObject(output) ? { ...output, action: 'fill', by: how } : output;

/** The value stands already: a part goes up and down again, which the page hears as keys and as trusted input. */
async function confirmByKeys(id: string, text: string, { run, look }: Hands): Promise<unknown> {
  const output = await run('element.keys', { id, keys: ['ArrowUp', 'ArrowDown'] });
  const field = await look(id);
  if (field?.kind === 'parts' && field.value !== text) await run('element.fill', { id, text });
  const isHeard = !isUnheard(text, output);
  return isHeard ? by('keys', output) : undefined;
}

/** Tabs from the open picker's first control to its red channel, which depend on the browser's version. */
const TABS_TO_RED = [3, 4, 2];

/**
 * Types red, green and blue into the browser's own picker. Enter is pressed by a second call, because a call of
 * several keys may begin with Enter only.
 */
async function pickColour(
  id: string,
  before: string,
  target: string,
  { run, look, isTrusted }: Hands,
): Promise<unknown> {
  // Only the browser's input opens the picker.
  if (!isTrusted || before === target) return undefined;
  const channels = [1, 3, 5].map((at) => [...String(Number.parseInt(target.slice(at, at + 2), 16))]);
  const digits = channels.flatMap((channel, at) => (at === 0 ? channel : ['Tab', ...channel]));
  await run('element.fill', { id, text: before });
  for (const tabs of TABS_TO_RED) {
    await run('element.click', { id });
    await run('element.keys', { id, keys: [...Array.from({ length: tabs }, () => 'Tab'), ...digits] });
    const field = await look(id);
    if (field?.kind !== 'colour') return undefined;
    const isSet = field.value === target;
    const output = await run('element.keys', { id, keys: isSet ? 'Enter' : 'Escape' });
    if (isSet) return by('keys', output);
  }
  await run('element.fill', { id, text: target });
  return undefined;
}

async function slideTo(
  id: string,
  target: number,
  first: Slider,
  byKeysFirst: boolean,
  { run, look }: Hands,
): Promise<unknown> {
  let slider: Slider | undefined = first;
  let output: unknown;
  const act = async (name: string, args: Args) => {
    output = await run(name, { id, ...args });
    const field = output instanceof PageLeft ? null : await look(id);
    slider = field?.kind === 'slider' ? field : undefined;
  };
  const isThere = () => slider?.value === target;
  const byKeys = async () => {
    const before = slider?.value ?? 0;
    const key = target > before ? 'ArrowRight' : 'ArrowLeft';
    await act('element.keys', { keys: [key] });
    const step = (slider?.value ?? 0) - before;
    const left = step === 0 ? 0 : Math.round((target - (slider?.value ?? 0)) / step);
    if (left > 0 && left <= MOST_KEYS)
      await act('element.keys', { keys: Array.from({ length: left }, () => key) });
  };
  if (byKeysFirst && !isThere()) {
    await byKeys();
    if (isThere() || slider === undefined) return by('keys', output);
  }
  if (first.isGrip === true) {
    await dragGrip(target, first, act, () => slider?.value);
    return by('dragging', output);
  }
  const { min, max, width, height } = first;
  const nudge = ((max - min) * NUDGE_PX) / Math.max(width, height, 1);
  let aim = target;
  for (let drags = 0; drags < MOST_DRAGS && slider !== undefined; drags++) {
    const { value } = slider;
    const from = value === target ? target + (target - min > nudge ? -nudge : nudge) : value;
    const to = Math.min(max, Math.max(min, aim));
    await act('element.drag', { at: pointAt(from, slider), to: pointAt(to, slider) });
    if (isThere() || slider === undefined) break;
    aim += target - slider.value;
  }
  if (!byKeysFirst && !isThere() && slider !== undefined) await byKeys();
  return by('dragging', output);
}

/** A divider moves by a pixel for each of its units; if it does not, the first drag tells how far it moves. */
async function dragGrip(
  target: number,
  { value: first, width, height }: Slider,
  act: (name: string, args: Args) => Promise<void>,
  valueNow: () => number | undefined,
): Promise<void> {
  let perPixel = 1;
  let before = first;
  for (let drags = 0; drags < MOST_DRAGS && before !== target; drags++) {
    const pixels = Math.round((target - before) / perPixel);
    if (pixels === 0) return;
    await act('element.drag', { by: height >= width ? [pixels, 0] : [0, pixels] });
    const now = valueNow();
    if (now === undefined || now === before) return;
    perPixel = (now - before) / pixels;
    before = now;
  }
}

/** From the top left corner of the element; a tall slider grows upwards. */
function pointAt(value: number, { min, max, width, height }: Slider): [number, number] {
  const part = Math.min(1, Math.max(0, (value - min) / (max - min || 1)));
  const along = (length: number, across: number) => {
    // Half a grip stays inside at both ends.
    const inset = Math.min(across / 2, length / 4);
    return Math.round(inset + part * (length - 2 * inset));
  };
  if (height > width) return [Math.round(width / 2), height - along(height, width)];
  return [along(width, height), Math.round(height / 2)];
}

/** Our own page code answers. */
function trustField(value: unknown): HandField | null {
  return value as HandField | null;
}
