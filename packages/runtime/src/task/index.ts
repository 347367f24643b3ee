export { type BodyCall, type CallBodyOptions, createCallBody } from './call-page.ts';
export { type ControlState, createTaskControl, type TaskControl } from './control.ts';
export type { DeciderAnswer, TaskDecider } from './decider.ts';
export { askIn } from './decision.ts';
export { type ReplayOptions, type ReplayReport, replayTrace } from './replay.ts';
export { TASK_FEATURES } from './request.ts';
export { type RunTaskOptions, runTask } from './run-task.ts';
export type {
  BegunAct,
  LastAct,
  StepDetails,
  StepRecord,
  Subject,
  TaskCheckpoint,
  TaskOutcome,
  TaskQuestion,
  TaskResume,
  TaskSpec,
  TaskStepEvent,
  TaskTrace,
} from './task-event.ts';
export type {
  Act,
  ActEffect,
  ActError,
  Acted,
  ElementFacts,
  Filtered,
  PageLocation,
  Perceived,
  Screenshot,
  TaskPage,
  Thumbnail,
  Wanted,
} from './task-page.ts';
