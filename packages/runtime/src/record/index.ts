export { type RecordedMap, type RecordedMapOptions, recordedMap } from './recorded-map.ts';
export { createRecorderCalls, type RecordedNotice, type RecorderCalls } from './recorder-calls.ts';
export type { RecordedStep, Recording } from './recording.ts';
export { type RecordedWalk, replayWalk, type WalkHands, walkText } from './walk.ts';
export { recordWalk, type WalkRecorder } from './walk-recorder.ts';
