// Act and know what happened

export type { Host, Modifier, Press } from './act/action-context.ts';
export type { ActionDone, ActionName, ActionRefused, ActionResult, ActOptions } from './act/action-result.ts';
export type { Choice } from './act/choice.ts';
export { dragAlong } from './act/drag.ts';
export type { FileData } from './act/file-choice.ts';
export { createPageActions, type PageActions, type PageActionsOptions } from './act/page-actions.ts';
export { hoverOver } from './act/pointer.ts';
export type { Confirmed, Landed, Prepared, PreparedPress, Rechecked } from './act/prepared-press.ts';
export type { RefusalData, RefusalReason } from './act/refusal.ts';
// Maps, pictures and the page as one
export type { AttachmentEvent, Attachments, InstallOrder } from './attach/attachments.ts';
export type { Effect } from './effect/effect.ts';
export type { ExpectedOutcome } from './effect/expected-outcome.ts';
export type { NodeEdit } from './effect/node-changes.ts';
export type { Verification } from './effect/verification.ts';
export { cleanAnswer as cleanData } from './extract/clean-value.ts';
export type { ExtractMatch, ExtractMatches, RawExtraction } from './extract/extraction-result.ts';
export {
  createElementRegistry,
  type ElementRegistry,
  type Fingerprint,
} from './identity/element-registry.ts';
// Perceive
export { createTagger, type Tagger, type TaggerOptions } from './identity/tagger.ts';
export type { BoundingBox, Candidate, ElementInfo, Found, InfoOptions } from './locate/element-info.ts';
export type { LocateOptions, Locator } from './locate/locator.ts';
export { PageError, type PageErrorData } from './locate/page-error.ts';
export { createPage, type Page, type PageHooks, type PageNotice, type PageOptions } from './page.ts';
export { callPage, type PageAnswer } from './page-call.ts';
export {
  type CarriedSecrets,
  createPageInternals,
  type PageInternals,
  type SecretsNotice,
  type TextCleaner,
} from './page-internals.ts';
export { accessibleNameOf, fullNameOf, nameOf } from './perceive/accessible-name.ts';
export type { ListenerHint } from './perceive/actionable.ts';
export { fitBudget, fitContext, type LeftOut, nodeBudget } from './perceive/budget.ts';
export type { ShadowRootOf } from './perceive/composed-tree.ts';
export type { FullDom, FullDomOptions } from './perceive/full-dom.ts';
export { guessName } from './perceive/guessed-name.ts';
export {
  deepElementFromPoint,
  frameScale,
  type Hit,
  hitTest,
  innermostOf,
  insideFrames,
  type Point,
  pressTarget,
} from './perceive/hit-test.ts';
export {
  createPerception,
  type Delta,
  type Perception,
  type PerceptionHooks,
  type PerceptionOptions,
} from './perceive/perception.ts';
export type { Reading, ReadOptions } from './perceive/reading.ts';
export { roleOf, shortRole } from './perceive/role.ts';
export type { FrameInfo, Snapshot, SnapshotOptions } from './perceive/snapshot.ts';
export { type FramePage, stitch } from './perceive/stitch.ts';
export { fitView } from './perceive/view-budget.ts';
export { isVisible } from './perceive/visibility.ts';
export { hammingDistance, type Pixels, perceptualHash } from './screenshot/perceptual-hash.ts';
export type { PictureCover } from './screenshot/picture-cover.ts';
export type { SecretBox } from './screenshot/secret-box.ts';
export { createScrubber, repeatsSecret, type Scrubber, selectedAround } from './secrets/scrub.ts';
export { isFilled, isSecretField, visibleValueOf } from './secrets/secret-field.ts';
export type { SignalEvent, UnreadableSignal } from './signal/signal-listener.ts';
export { type PageClock, pageClock } from './watch/clock.ts';
export type { RecentEvents } from './watch/event-buffer.ts';
export { type Stability, type StabilityOptions, waitForStability } from './watch/stability.ts';
export { createWatch, type Watch, type WatchOptions } from './watch/watch.ts';
