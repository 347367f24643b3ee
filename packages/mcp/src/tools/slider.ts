import { isCallFailure } from '../call-failure.ts';
import type { TabRoute } from '../lent-tabs.ts';
import { listAt, numberAt, textAt, textsAt } from '../loose-value.ts';
import { callPrimitive, type ToolContext } from './tool.ts';

/** A slider as the page shows it; its box is in CSS pixels. */
interface Slider {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly width: number;
  readonly height: number;
}

/** The way by which a slider was set, and the answer to the last call. */
interface SetSlider {
  readonly how: 'keys' | 'dragging';
  readonly output: unknown;
}

const MOST_KEYS = 100;
const MOST_DRAGS = 4;
/** A grip that is pressed here is away from its place, so that the page gets a movement. */
const NUDGE_PX = 8;

const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;

/** Whether a fill may have been for a slider whose page heard nothing of it. */
export function isUnheard(value: string, filled: unknown): boolean {
  const effect = Object(filled)['effect'];
  const changed = listAt(effect, 'changed').length;
  const others = ['added', 'removed'].some((kind) => listAt(effect, kind).length > 0);
  const words = ['seen', 'messages', 'dialogs', 'errors', 'successes'].some(
    (key) => textsAt(effect, key).length > 0,
  );
  return NUMBER.test(value) && changed <= 1 && !others && !words && (numberAt(effect, 'requests') ?? 0) === 0;
}

export const takesNoText = (error: unknown): boolean =>
  isCallFailure(error) && error.error.evidence['reason'] === 'not_editable';

/**
 * Sets a slider as a hand does. Every key and drag is a call for itself, so each is classified and asked about
 * like any other. Undefined for an element that is no slider.
 */
export async function setByHand(
  id: string,
  text: string,
  hand: { readonly context: ToolContext; readonly route: TabRoute; readonly wasFilled: boolean },
): Promise<SetSlider | undefined> {
  const { context, route, wasFilled } = hand;
  const target = Number(text);
  const read = () => sliderOf(id, context, route);
  let slider = await read();
  if (slider === undefined || !NUMBER.test(text)) return undefined;
  let output: unknown;
  const drag = async (from: number, to: number) => {
    const { output: dragged } = await callPrimitive(context, route, 'element.drag', {
      id,
      at: pointAt(from, slider ?? NO_SLIDER),
      to: pointAt(to, slider ?? NO_SLIDER),
    });
    output = dragged;
    slider = await read();
  };
  const byKeys = async () => {
    const before = slider?.value ?? 0;
    const forward = target > before;
    const press = async (count: number, key: string) => {
      const keys = Array.from({ length: count }, () => key);
      output = (await callPrimitive(context, route, 'element.keys', { id, keys })).output;
      slider = await read();
    };
    await press(1, forward ? 'ArrowRight' : 'ArrowLeft');
    const step = (slider?.value ?? 0) - before;
    const left = step === 0 ? 0 : Math.round((target - (slider?.value ?? 0)) / step);
    if (left > 0 && left <= MOST_KEYS) await press(left, forward ? 'ArrowRight' : 'ArrowLeft');
  };
  const isThere = () => slider?.value === target;

  if (!wasFilled && !isThere()) {
    await byKeys();
    if (isThere()) return { how: 'keys', output };
  }
  const { min, max } = slider;
  let aim = target;
  const nudge = ((max - min) * NUDGE_PX) / Math.max(slider.width, slider.height, 1);
  for (let drags = 0; drags < MOST_DRAGS && slider !== undefined; drags++) {
    const from = slider.value === target ? target + (target - min > nudge ? -nudge : nudge) : slider.value;
    await drag(from, Math.min(max, Math.max(min, aim)));
    if (isThere() || slider === undefined) break;
    aim += target - slider.value;
  }
  if (!isThere() && slider !== undefined && wasFilled) await byKeys();
  return { how: 'dragging', output };
}

const NO_SLIDER: Slider = { value: 0, min: 0, max: 1, width: 0, height: 0 };

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

async function sliderOf(id: string, context: ToolContext, route: TabRoute): Promise<Slider | undefined> {
  const look = async (form: 'json' | 'view') => {
    const args = { scope: 'page', form, boxes: true } as const;
    const { output } = await callPrimitive(context, route, 'page.snapshot', args);
    return listAt(output, 'page', 'interactive_tree').find((node) => textAt(node, 'i') === id);
  };
  const [shown, placed] = [await look('view'), await look('json')];
  if (textAt(placed, 'r') !== 'slider') return undefined;
  const [min = 0, max = 100] = (textAt(shown, 'm') ?? '')
    .split('–')
    .filter((part) => part !== '')
    .map(Number);
  const [, , width = 0, height = 0] = listAt(placed, 'box').map(Number);
  const value = Number.parseFloat(textAt(shown, 'v') ?? String(min));
  return { value, min, max, width, height };
}
