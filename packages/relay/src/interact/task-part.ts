import type { TaskMemory } from '@drawbridge/brain';
import type { JsonObject, TaskRecord } from '@drawbridge/ledger';
import type { StepMessage } from './step-messages.ts';

/** This port's part of a task's row, in `body.interact`. The request is never stored. */
export interface TaskPart {
  readonly memory?: TaskMemory;
  /** Every `query` of the task so far, oldest first. */
  readonly queries: readonly string[];
  /** `data` of the latest answer. */
  readonly answer?: JsonObject;
  /** Hash of the answered request, and whether its caller disconnected before the answer. */
  readonly hash?: string;
  readonly undelivered?: boolean;
  /** By `Idempotency-Key`, newest last. */
  readonly answers: readonly { readonly key: string; readonly data: JsonObject }[];
  /** People's messages up to this sequence have been delivered. */
  readonly heard: number;
  readonly messages: number;
  /** The message of the client's current action. */
  readonly step?: StepMessage;
  /** The plan's last content. */
  readonly plan?: string;
  /** The plan's steps are others than at first. */
  readonly isReplanned?: boolean;
  /** INT-271: kept while the task is open. */
  readonly screenshot?: string;
}

export const FRESH_PART: TaskPart = { queries: [], answers: [], heard: 0, messages: 0 };

/** Kind of a task that this port started: only this port changes its state. */
export const OWN_KIND = 'interact';

export const isOwn = ({ body }: Pick<TaskRecord, 'body'>): boolean => body['kind'] === OWN_KIND;

/** Written here, in a row that the ledger has checked. */
export function trustPart({ body }: Pick<TaskRecord, 'body'>): TaskPart | undefined {
  return body['interact'] as TaskPart | undefined;
}

/** The part that outlives the task: its usage, and nothing that a page showed or that was typed into one. */
export function bodyAtEnd({ interact: _, ...body }: JsonObject, part: TaskPart | undefined): JsonObject {
  const spent = part?.memory?.spent;
  return spent === undefined ? body : { ...body, interact: asJson({ ...FRESH_PART, memory: { spent } }) };
}

/** A part, a memory and an answer are JSON stored in rows. */
export function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
