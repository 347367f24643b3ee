import type { MessageDetails, Plan, TaskEvent } from '@drawbridge/protocol';
import type { PagePlace, Thumbnail } from './body.ts';

/** What a task is. */
export interface TaskSpec {
  /** The id that its events carry. */
  readonly taskId: string;
  readonly query: string;
  /** The session it belongs to, where it has one already. */
  readonly sessionId?: string;
  readonly tabId?: number;
  readonly maxSteps: number;
}

/** One thing that happened, in the order in which it did. */
export interface TaskStepEvent {
  /** For the task wire and for whoever reads words (TSK-41…48). */
  readonly event: TaskEvent;
  /** All that is needed to go on after a restart. Store it before `onEvent` resolves. */
  readonly checkpoint: TaskCheckpoint;
  /** With `act.…`: the step as a message shows it. A thumbnail is the caller's to store and to name in it. */
  readonly step?: StepDetails;
  /** With `act.ok` and `act.fail`: the step for the trace. */
  readonly record?: StepRecord;
  readonly thumbnail?: Thumbnail;
  /** With a `task.pause` that waits for an answer. */
  readonly question?: TaskQuestion;
  /** Where it is new or has changed. */
  readonly plan?: Plan;
}

export type StepDetails = Extract<MessageDetails, { kind: 'step' }>;

export interface TaskQuestion {
  readonly text: string;
  readonly missing?: readonly unknown[];
}

/** Plain JSON. */
export interface TaskCheckpoint {
  /** The step that comes, or is under way. */
  readonly step: number;
  /** The id that the mind gave the task, which its next call carries (INT-79). */
  readonly taskId?: string;
  readonly sessionId?: string;
  /** An act that was begun: whether it was done nobody knows, and it is not done again. */
  readonly acting?: BegunAct;
  /** What the last act came to, for the call that comes. */
  readonly last?: LastAct;
  readonly question?: TaskQuestion;
  /** How many of the person's words the mind has got. Those after it are the caller's to say again. */
  readonly heard: number;
}

export interface BegunAct {
  /** A secret in it is masked. */
  readonly action: string;
  readonly elementId?: string;
  readonly before: PagePlace;
  /** Of the tree it was decided on. */
  readonly hash: string;
  readonly subject?: Subject;
  readonly thought?: string;
  readonly reasoning?: string;
}

/** How to find an element again, without its id. */
export interface Subject {
  readonly role: string;
  readonly name: string;
  readonly selectorPath?: string;
  readonly secret?: true;
}

/** What the next request says of the act before it, in contract 4's own fields. */
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

/** One act of a task, with all that it takes to do it again without a model. Plain JSON. */
export interface StepRecord {
  readonly index: number;
  readonly action: string;
  readonly subject?: Subject;
  readonly thought?: string;
  readonly reasoning?: string;
  readonly status: 'ok' | 'failed' | 'unknown';
  readonly before: PagePlace;
  readonly after?: PagePlace;
  readonly changes: readonly string[];
  readonly events: readonly string[];
  readonly error?: { readonly code: string; readonly message: string };
  /** The element that was taken for the one that was gone, and what found it. */
  readonly healed?: { readonly to: string; readonly by: 'likeness' | 'selector' };
}

/** The acts of a task in their order, and where it began. */
export interface TaskTrace {
  readonly trace: 1;
  readonly query: string;
  readonly start: string;
  readonly steps: readonly StepRecord[];
}

/** Where a task stood when its process ended. */
export interface TaskResume {
  /** The last one that was stored. */
  readonly checkpoint: TaskCheckpoint;
  /** The records of its steps so far, for the trace. */
  readonly steps?: readonly StepRecord[];
}

export interface TaskOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** In words that a person can read. */
  readonly message: string;
  /** What the mind gave beside `finish()`. */
  readonly result?: unknown;
  readonly trace: TaskTrace;
}
