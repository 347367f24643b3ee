import { BridgeError } from '@drawbridge/protocol';
import { type FramePlace, placeOfFrame, showFrame as showInView } from '../../in-page/frame-owner.ts';
import type { Frame } from './frames.ts';

export type { FramePlace } from '../../in-page/frame-owner.ts';

const PLACE = placeOfFrame.toString();
const SHOW = showInView.toString();

/** `at` is a point in the frame, by default its middle. */
export async function placeOf(
  frame: Frame,
  parent: Frame | undefined,
  at?: { x: number; y: number },
): Promise<FramePlace> {
  const { result } = await onOwner(frame, parent, PLACE, at === undefined ? [] : [at.x, at.y]);
  return parsePlace(result.value);
}

export async function showFrame(
  frame: Frame,
  parent: Frame | undefined,
  at?: { x: number; y: number },
): Promise<void> {
  await onOwner(frame, parent, SHOW, at === undefined ? [] : [at.x, at.y]);
}

async function onOwner(
  frame: Frame,
  parent: Frame | undefined,
  functionDeclaration: string,
  args: readonly number[],
) {
  if (parent === undefined) throw noOwner();
  frame.owner ??= ownerOf(frame, parent).catch((error: unknown) => {
    frame.owner = undefined;
    throw error;
  });
  return parent.session.send('Runtime.callFunctionOn', {
    functionDeclaration,
    objectId: await frame.owner,
    arguments: args.map((value) => ({ value })),
    awaitPromise: true,
    returnByValue: true,
  });
}

async function ownerOf(frame: Frame, { session, world }: Frame): Promise<string> {
  if (world === undefined) throw noOwner();
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: frame.id });
  const { object } = await session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId: world.contextId,
  });
  if (object.objectId === undefined) throw noOwner();
  return object.objectId;
}

function noOwner(): BridgeError {
  return new BridgeError('target_not_found', 'The frame has left the page. Take a new snapshot.');
}

function parsePlace(value: unknown): FramePlace {
  return value as FramePlace;
}
