/** The page side of a runtime: primitives, what a press would do, held forms, tools of the page. */
export type { CarriedSecrets } from '../page-internals.ts';
export { isAmount, isTotal, moneyIn } from './amounts.ts';
export type { Covered, Manner } from './element-context.ts';
export type { AskedContent, AskedField } from './fingerprint.ts';
export type { HoldOrder, StoppedForm } from './form-hold.ts';
export type { FormSubmit } from './form-submit.ts';
export { type FramePosition, positionOfFrame, showFrame } from './frame-owner.ts';
export type { PointTarget } from './geometry.ts';
export type { HandField } from './hand-field.ts';
export { type ShieldOrder, shieldInput } from './input-shield.ts';
export { likenessOf } from './like-addresses.ts';
export type { OfferedCallNotice } from './offered-tools.ts';
export type { DragPoints } from './pointing.ts';
export { mayContinue } from './press-course.ts';
export { sameButForClocks } from './running-clocks.ts';
export { createSurfaceCode, type SurfaceCode } from './surface-code.ts';
export type { WebTool, WebToolsNotice } from './web-tools.ts';
