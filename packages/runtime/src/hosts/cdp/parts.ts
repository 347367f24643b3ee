/** Parts shared with a host inside the browser itself. None needs Node. */
export type { FramePosition } from '../../in-page/frame-owner.ts';
export { SecretMemory } from '../secret-memory.ts';
export { withClosedFrames } from './closed-frames.ts';
export { endsPress, type Shield } from './frame-press.ts';
export { createInput, type InputSession } from './input.ts';
export { createInterruption, type Interruption } from './interruption.ts';
export { createJoinedPage, type JoinedPage } from './joined-page.ts';
export { type Destination, isHttp, requireWebAddress, withoutFragment } from './navigation.ts';
export { isInForeignFrame, namesReachedElement, outsideInput } from './outside-input.ts';
export { cancellable, dialogOpen, isDialogOpen, stillLoading, withheld } from './page-calls.ts';
export { type PageFrame, soon } from './page-frame.ts';
export { type SettledDocument, TabState } from './tab-state.ts';
export { within } from './time-limit.ts';
