/** Parts shared with a host inside the browser itself. None needs Node. */
export type { FramePosition } from '@drawbridge/page/calls';
export { SecretMemory } from '../secret-memory.ts';
export { withClosedFrames } from './closed-frames.ts';
export { ENDS_PRESS, type Shield } from './frame-press.ts';
export { createInput, type InputSession, outsideInput } from './input.ts';
export { createInspectionLog, type InspectionLog, type InspectionOptions } from './inspection.ts';
export {
  cancellable,
  createInterruption,
  dialogOpen,
  type Interruption,
  isDialogOpen,
  stillLoading,
  withheld,
  within,
} from './interruption.ts';
export { createJoinedPage, type JoinedPage } from './joined-page.ts';
export { type Destination, isHttp, requireWebAddress, withoutFragment } from './navigation.ts';
export { NAMES_REACHED, type PageFrame, reachedElement, soon } from './page-frame.ts';
export { type SettledDocument, TabState } from './tab-state.ts';
