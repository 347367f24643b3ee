export type { RecordedStep, Recording } from '@drawbridge/page/recorder';
export {
  type ControlPlane,
  createControlPlane,
  isControlPlaneError,
  relayAddressRefused,
  relayTabRefused,
} from './address/control-plane.ts';
export {
  closedFrameRefused,
  createLocalNetwork,
  type LocalNetwork,
  wholeNetwork,
} from './address/local-network.ts';
export { answerCall, DEFAULT_TIMEOUT_MS } from './call/answer-call.ts';
export { allowInspection } from './call/inspect-gate.ts';
export type { DriftPart, DriftReport } from './drift/drift.ts';
export { driftReport } from './drift/drift-report.ts';
export { driftText } from './drift/drift-text.ts';
export { denyAll } from './grants/askers.ts';
export { ORDINARY_FORMS } from './grants/form-grants.ts';
export type { Grant } from './grants/grant-book.ts';
export { createGrantBook, type GrantBook } from './grants/grant-book.ts';
export { createLinkAsker, type LinkAsker, type LinkAskerOptions } from './grants/link-asker.ts';
export { createOfferedAddresses, type OfferedAddresses } from './grants/offered-addresses.ts';
export * from './host.ts';
export { type MapChoice, type MapSource, noMaps, singleMap, trustOf } from './maps/map-source.ts';
export { type RecordedMap, recordedMap } from './record/recorded-map.ts';
export { type RecordedWalk, replayWalk, type WalkCalls, walkText } from './record/walk.ts';
export { recordWalk, type WalkRecorder } from './record/walk-recorder.ts';
export type { CheckEvidence } from './surface/check-evidence.ts';
export { createRuntime, HEARTBEAT_MS, type Runtime, type RuntimeOptions } from './surface/runtime.ts';
