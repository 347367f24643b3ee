import type { MessageDetails, Plan, TaskEvent } from '@drawbridge/protocol';
import type { PageLocation, Thumbnail } from './task-page.ts';

export interface TaskSpec {
  readonly taskId: string;
  readonly query: string;
  /** The session of the task, if it has one. */
  readonly sessionId?: string;
  readonly tabId?: number;
  readonly maxSteps: number;
}

/** One event of a task, in order. */
export interface TaskStepEvent {
  /** For the task wire and for readers (TSK-41…48). */
  readonly event: TaskEvent;
  /** Everything needed to resume after a restart. Store it before `onEvent` resolves. */
  readonly checkpoint: TaskCheckpoint;
  /** With `act.…`: the step for a message. The caller stores and links the thumbnail. */
  readonly step?: StepDetails;
  /** With `act.ok` and `act.fail`: the step for the trace. */
  readonly record?: StepRecord;
  readonly thumbnail?: Thumbnail;
  /** With a `task.pause` that waits for an answer. */
  readonly question?: TaskQuestion;
  /** Set when new or changed. */
  readonly plan?: Plan;
}

export type StepDetails = Extract<MessageDetails, { kind: 'step' }>;

export interface TaskQuestion {
  readonly text: string;
  readonly missing?: readonly unknown[];
}

/** Plain JSON. */
export interface TaskCheckpoint {
  /** The next or current step. */
  readonly step: number;
  /** The decider's id for the task, sent with its next call (INT-79). */
  readonly taskId?: string;
  readonly sessionId?: string;
  /** A started act with unknown outcome, which is not repeated. */
  readonly acting?: BegunAct;
  /** The outcome of the last act, for the next call. */
  readonly last?: LastAct;
  readonly question?: TaskQuestion;
  /** How many of the person's messages the decider has received. The caller sends later ones again. */
  readonly heard: number;
}

export interface BegunAct {
  /** With secrets masked. */
  readonly action: string;
  readonly elementId?: string;
  readonly before: PageLocation;
  /** Hash of the tree that the decision was based on. */
  readonly hash: string;
  readonly subject?: Subject;
  readonly thought?: string;
  readonly reasoning?: string;
}

/** Ways to find an element without its id. */
export interface Subject {
  readonly role: string;
  readonly name: string;
  readonly selectorPath?: string;
  readonly secret?: true;
}

/** The previous act in the next request, in contract 4's own fields. */
export interface LastAct {
  readonly previousUrl: string;
  readonly lastActionStatus: 'success' | 'failure' | 'pending';
  readonly lastActionError?: {
    readonly message: string;
    readonly code: string;
    readonly action: string;
    readonly elementId?: string;
  };
  readonly lastActionResult?: { readonly success: boolean; readonly actualState?: string };
  readonly clientVerification?: {
    readonly elementFound: boolean;
    readonly selector?: string;
    readonly urlChanged?: boolean;
    readonly timestamp?: number;
  };
  readonly clientObservations?: {
    readonly didNetworkOccur?: boolean;
    readonly didDomMutate?: boolean;
    readonly didUrlChange?: boolean;
  };
  readonly verification_passed?: boolean;
  readonly verification_message?: string;
  readonly errors_detected?: readonly string[];
  readonly success_messages?: readonly string[];
}

/** One act of a task, with everything needed to repeat it without a model. Plain JSON. */
export interface StepRecord {
  readonly index: number;
  readonly action: string;
  readonly subject?: Subject;
  readonly thought?: string;
  readonly reasoning?: string;
  readonly status: 'ok' | 'failed' | 'unknown';
  readonly before: PageLocation;
  readonly after?: PageLocation;
  readonly changes: readonly string[];
  readonly events: readonly string[];
  readonly error?: { readonly code: string; readonly message: string };
  /** The element that replaced the missing one, and how it was found. */
  readonly healed?: { readonly to: string; readonly by: 'likeness' | 'selector' };
}

/** The acts of a task in order, and the starting address. */
export interface TaskTrace {
  readonly trace: 1;
  readonly query: string;
  readonly start: string;
  readonly steps: readonly StepRecord[];
}

/** State of a task whose process ended. */
export interface TaskResume {
  /** The last stored checkpoint. */
  readonly checkpoint: TaskCheckpoint;
  /** The records of its steps so far, for the trace. */
  readonly steps?: readonly StepRecord[];
}

export interface TaskOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Readable by a person. */
  readonly message: string;
  /** The decider's result beside `finish()`. */
  readonly result?: unknown;
  readonly trace: TaskTrace;
}
