import { createDeferred } from '@drawbridge/base';
import type { Press } from '@drawbridge/page';
import type { KeyHow, Point, TrustedInput } from '../../host.ts';
import type { Params, Session } from './connection.ts';
import { isDialogOpen } from './interruption.ts';
import { type Key, MODIFIER_BITS, parseChord } from './key-table.ts';

/** The part of a session that input uses. */
export type InputSession = Pick<Session, 'send' | 'on'>;
type MouseEvent = Params<'Input.dispatchMouseEvent'>[0];
type DragData = Params<'Input.dispatchDragEvent'>[0]['data'];

/**
 * Trusted mouse and keyboard input. Events of one gesture are sent in one batch: the browser keeps their
 * order, and the page cannot move between them. `taken` ends the wait when the page navigates or opens a
 * dialog. The mouse does not move to where it already rests.
 */
export function createInput(
  session: InputSession,
  taken: (work: () => Promise<unknown>) => Promise<void>,
): TrustedInput {
  /** Bits of the modifier keys that are held down. */
  let holding = 0;
  const mouse = (event: MouseEvent) =>
    session.send('Input.dispatchMouseEvent', { ...event, modifiers: (event.modifiers ?? 0) | holding });
  const key = (event: KeyEvent) =>
    session.send('Input.dispatchKeyEvent', { ...event, modifiers: (event.modifiers ?? 0) | holding });
  let rests: Point | undefined;
  const move = ({ x, y }: Point, held: Partial<MouseEvent> = {}) => {
    rests = { x, y };
    return mouse({ type: 'mouseMoved', x, y, ...held });
  };

  const isAt = ({ x, y }: Point): boolean => rests?.x === x && rests.y === y;

  return {
    aim: (point) => (isAt(point) ? undefined : taken(() => move(point))),
    press: (press, held) =>
      taken(async () => {
        const moves = isAt(press) ? [] : [move(press)];
        const events = pressEvents(press);
        if (held === undefined) return Promise.all([...moves, ...events.map(mouse)]);
        await Promise.all([...moves, ...events.slice(0, -1).map(mouse)]);
        try {
          return await held();
        } finally {
          await Promise.all(events.slice(-1).map(mouse));
        }
      }),
    tap: (point, count = 1, held = async () => {}) =>
      taken(async () => {
        await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
        try {
          for (let left = count; left > 0; left--) {
            try {
              await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
              await held();
            } finally {
              await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
            }
            if (left > 1) await new Promise((resolve) => setTimeout(resolve, BETWEEN_TAPS_MS));
          }
        } finally {
          await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
        }
      }),
    swipe: (points, steps) =>
      taken(async () => {
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: readonly Point[]) =>
          session.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] });
        await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
        try {
          await touch('touchStart', points.slice(0, 1));
          for (const [index, to] of points.entries())
            for (let step = 1; index > 0 && step <= steps; step++)
              await touch('touchMove', [between(points[index - 1] ?? to, to, step / steps)]);
        } finally {
          await touch('touchEnd', []);
          await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
        }
      }),
    move: (point) => taken(() => move(point)),
    drag: (points, steps) =>
      taken(async () => {
        await drag({ session, mouse, move }, points, steps);
        rests = points.at(-1);
      }),
    wheel: (at, delta) => taken(() => mouse({ type: 'mouseWheel', ...at, deltaX: delta.x, deltaY: delta.y })),
    keys: (chord, { phase, held } = {}) =>
      taken(async () => {
        const events = keyEvents(chord, holding);
        const half = events.findIndex(({ type }) => type === 'keyUp');
        const sent = (part: readonly KeyEvent[]) => Promise.all(part.map(key));
        if (phase === 'down') {
          await sent(events.slice(0, half));
          holding |= bitsOf(chord);
        } else if (phase === 'up') {
          holding &= ~bitsOf(chord);
          await sent(events.slice(half));
        } else if (held === undefined) await sent(events);
        else {
          await sent(events.slice(0, half));
          try {
            await held();
          } finally {
            await sent(events.slice(half));
          }
        }
      }),
    heldModifiers: () => Object.keys(MODIFIER_BITS).filter((key) => (holding & bitOf(key)) !== 0),
    insertText: (text) => taken(() => session.send('Input.insertText', { text })),
  };
}

/** Within the 40 to 300 ms between two taps that Chromium takes for one double tap. */
const BETWEEN_TAPS_MS = 80;

const between = (from: Point, to: Point, part: number): Point => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
});

function pressEvents({ x, y, button, count, modifiers }: Press): MouseEvent[] {
  const held = modifiers.reduce((bits, modifier) => bits | (MODIFIER_BITS[modifier] ?? 0), 0);
  const events: MouseEvent[] = [];
  for (let clickCount = 1; clickCount <= count; clickCount++) {
    const at = { x, y, button, clickCount, modifiers: held };
    events.push({ type: 'mousePressed', ...at }, { type: 'mouseReleased', ...at });
  }
  return events;
}

type KeyEvent = Params<'Input.dispatchKeyEvent'>[0];

/** Modifiers among the keys of a chord. */
function bitsOf(text: string): number {
  const { modifiers, key } = parseChord(text);
  return [...modifiers, key].reduce((bits, each) => bits | bitOf(each.key), 0);
}

const bitOf = (key: string): number => MODIFIER_BITS[key] ?? 0;

/** A key types no character while Alt, Control or Meta is down: with Alt the character would press an access key. */
function keyEvents(text: string, holding: number): KeyEvent[] {
  const { modifiers, key } = parseChord(text);
  let bits = 0;
  const pressed = modifiers.filter((each) => (holding & bitOf(each.key)) === 0);
  const downs = pressed.map((modifier) => {
    bits |= bitOf(modifier.key);
    return keyEvent('rawKeyDown', modifier, bits);
  });
  const isTyped = key.text !== undefined && ((bits | holding) & ~bitOf('Shift')) === 0;
  const press = isTyped ? keyEvent('keyDown', key, bits) : keyEvent('rawKeyDown', key, bits, editing(text));
  const ups = pressed.toReversed().map((modifier) => {
    bits &= ~bitOf(modifier.key);
    return keyEvent('keyUp', modifier, bits);
  });
  return [...downs, press, keyEvent('keyUp', key, press.modifiers ?? 0), ...ups];
}

function keyEvent(
  type: KeyEvent['type'],
  { text, ...key }: Key,
  modifiers: number,
  commands: readonly string[] = [],
): KeyEvent {
  const typed = type === 'keyDown' && text !== undefined;
  return {
    type,
    ...key,
    modifiers,
    ...(typed && { text, unmodifiedText: text }),
    ...(commands.length > 0 && { commands: [...commands] }),
  };
}

/** On a Mac these are menu commands, which a key event alone does not trigger. */
const MAC_EDITING: Readonly<Record<string, string>> = {
  'meta+a': 'selectAll',
  'meta+c': 'copy',
  'meta+v': 'paste',
  'meta+x': 'cut',
  'meta+z': 'undo',
};

function editing(chord: string): readonly string[] {
  const command = /^mac/i.test(navigator.platform) ? MAC_EDITING[chord.toLowerCase()] : undefined;
  return command === undefined ? [] : [command];
}

interface PointerState {
  readonly session: InputSession;
  readonly mouse: (event: MouseEvent) => Promise<unknown>;
  readonly move: (point: Point, held?: Partial<MouseEvent>) => Promise<unknown>;
}

/** The browser takes over dragging of draggable elements, which then need drag events. */
const LATE_DRAG_MS = 50;

async function drag(
  { session, mouse, move }: PointerState,
  points: readonly Point[],
  steps: number,
): Promise<void> {
  const [from = { x: 0, y: 0 }] = points;
  const to = points.at(-1) ?? from;
  let data: DragData | undefined;
  const begun = createDeferred();
  const stop = session.on('Input.dragIntercepted', (event) => {
    data = event.data;
    begun.resolve();
  });
  await session.send('Input.setInterceptDrags', { enabled: true });
  try {
    await Promise.all([move(from), mouse({ type: 'mousePressed', ...from, button: 'left', clickCount: 1 })]);
    for (const point of stopsOf(points, Math.max(1, steps))) {
      if (data === undefined) await move(point, { button: 'left', buttons: 1 });
      else await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...point, data });
    }
    // On a busy machine Chromium reports a drag only after the moves.
    if (data === undefined)
      await Promise.race([begun.promise, new Promise<void>((resolve) => setTimeout(resolve, LATE_DRAG_MS))]);
    if (data !== undefined) {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, ...to, data });
    }
    await mouse({ type: 'mouseReleased', ...to, button: 'left', clickCount: 1 });
  } finally {
    stop();
    await session.send('Input.setInterceptDrags', { enabled: false });
  }
}

function* stopsOf(points: readonly Point[], steps: number): Generator<Point> {
  for (const [index, next] of points.slice(1).entries()) {
    const last = points[index] ?? next;
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      yield { x: last.x + (next.x - last.x) * part, y: last.y + (next.y - last.y) * part };
    }
  }
}

/** A point of the tab, or the focused element. */
type InputTarget =
  | { readonly x: number; readonly y: number }
  | { readonly focused: true; readonly by: 'keys' };

/**
 * Trusted input reaches every frame of the tab. Where some frames are refused, page code is asked before each
 * input which element it would reach; `requireOutside` fails for a frame without page code.
 */
export function outsideInput(
  input: TrustedInput,
  hasRefused: () => boolean,
  requireOutside: (target: InputTarget) => Promise<unknown>,
): TrustedInput {
  const outside = async (...targets: readonly InputTarget[]): Promise<void> => {
    if (!hasRefused()) return;
    for (const target of targets)
      await requireOutside(target).catch((error: unknown) => {
        // Nothing is pressed while a dialog is open; the input itself reports that.
        if (!isDialogOpen(error)) throw error;
      });
  };
  const focused = { focused: true, by: 'keys' } as const;
  const at = ({ x, y }: { readonly x: number; readonly y: number }) => ({ x, y });
  return {
    press: (press, held) =>
      hasRefused() ? outside(at(press)).then(() => input.press(press, held)) : input.press(press, held),
    tap: (point, count, held) => outside(at(point)).then(() => input.tap(point, count, held)),
    swipe: (points, steps) => outside(...points.map(at)).then(() => input.swipe(points, steps)),
    move: (point) => outside(at(point)).then(() => input.move(point)),
    aim: (point) => (hasRefused() ? outside(at(point)).then(() => input.aim(point)) : input.aim(point)),
    drag: (points, steps) => outside(...points.map(at)).then(() => input.drag(points, steps)),
    wheel: (target, delta) => outside(at(target)).then(() => input.wheel(target, delta)),
    keys: (chord, how?: KeyHow) => outside(focused).then(() => input.keys(chord, how)),
    heldModifiers: input.heldModifiers,
    insertText: (text) => outside(focused).then(() => input.insertText(text)),
  };
}
