export type {
  Act,
  ActEffect,
  ActError,
  Acted,
  ElementFacts,
  Filtered,
  PagePlace,
  Perceived,
  Screenshot,
  TaskBody,
  Thumbnail,
  Wanted,
} from './body.ts';
export { type BodyCall, type CallBodyOptions, createCallBody } from './call-body.ts';
export { type ControlState, createTaskControl, type TaskControl } from './control.ts';
export { askIn } from './decision.ts';
export type { MindAnswer, TaskMind } from './mind.ts';
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
