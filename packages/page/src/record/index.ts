export {
  createRecorderCalls,
  type RecordedNotice,
  type RecorderCalls,
} from './recorder-calls.ts';
export {
  type FieldFacts,
  landmarkKey,
  type PageView,
  pathOfKey,
  type RecordedElement,
  type RecordedStep,
  type Recording,
} from './recording.ts';
