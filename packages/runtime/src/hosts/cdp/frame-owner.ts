import { type FramePosition, positionOfFrame, showFrame as showInView } from '@drawbridge/page/calls';
import { BridgeError } from '@drawbridge/protocol';
import type { Frame } from './frames.ts';

export type { FramePosition } from '@drawbridge/page/calls';

const POSITION = positionOfFrame.toString();
const SHOW = showInView.toString();

/** `at` is a point in the frame, by default its middle. */
export async function positionOf(
  frame: Frame,
  parent: Frame | undefined,
  at?: { x: number; y: number },
): Promise<FramePosition> {
  const { result } = await onOwner(frame, parent, POSITION, at === undefined ? [] : [at.x, at.y]);
  return trustPosition(result.value);
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

function trustPosition(value: unknown): FramePosition {
  return value as FramePosition;
}
