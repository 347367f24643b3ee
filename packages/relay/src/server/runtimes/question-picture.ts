import type { Bridge, RuntimeView } from '@drawbridge/bridge';
import type { QuestionPicture } from '@drawbridge/protocol/http';
import { mayLook } from '../../approvals/may-look.ts';
import type { CoreClock } from '../../core/ports.ts';
import { parsePicture } from './live-view.ts';

export interface QuestionPictureOptions {
  readonly bridge: Pick<Bridge, 'call'>;
  readonly clock: CoreClock;
}

const PICTURE = { format: 'jpeg', quality: 60, max_width: 900 };
const LOOK = { scope: 'viewport', boxes: true };
const TIMEOUT_MS = 5_000;

/** Undefined when the tab gives no picture that can be shown, or none in time: the question is complete without one. */
export async function pictureForQuestion(
  { bridge, clock }: QuestionPictureOptions,
  tab: RuntimeView,
  element: string | undefined,
): Promise<QuestionPicture | undefined> {
  if (!mayLook(tab)) return undefined;
  const { runtime_id } = tab;
  const calls = [
    bridge.call({ name: 'browser.screenshot', arguments: PICTURE, runtime_id }),
    ...(element === undefined ? [] : [bridge.call({ name: 'page.snapshot', arguments: LOOK, runtime_id })]),
  ];
  const late = clock.after(TIMEOUT_MS, () => {
    for (const call of calls) call.cancel('No picture came in time.');
  });
  const [shot, seen] = await Promise.allSettled(calls.map(({ output }) => output));
  late();
  if (shot?.status !== 'fulfilled') return undefined;
  try {
    const { scale, ...picture } = parsePicture(shot.value);
    const box = seen?.status === 'fulfilled' ? boxOf(seen.value, element) : undefined;
    return { ...picture, ...(box && scale && { box: scaled(box, scale) }) };
  } catch {
    return undefined;
  }
}

type Box = readonly [number, number, number, number];

const scaled = ([x, y, width, height]: Box, by: number): Box => [x * by, y * by, width * by, height * by];

/** Finds the element's node in a snapshot. */
function boxOf(output: unknown, element: string | undefined): Box | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  if ('i' in output && output.i === element && 'box' in output) return parseBox(output.box);
  for (const inner of Object.values(output)) {
    const found = boxOf(inner, element);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseBox(box: unknown): Box | undefined {
  if (!Array.isArray(box) || box.length !== 4 || !box.every(Number.isFinite)) return undefined;
  return box as unknown as Box;
}
