import type { TaskMemory } from '@drawbridge/brain';
import type { JsonObject, TaskRecord } from '../ledger/records.ts';
import type { StepMessage } from './step-messages.ts';

/** What a task's row keeps for this port, in `body.interact`. The request itself is nowhere kept. */
export interface TaskPart {
  readonly memory?: TaskMemory;
  /** Every `query` of the task so far, the first one first. */
  readonly queries: readonly string[];
  /** `data` of the latest answer. */
  readonly answer?: JsonObject;
  /** Of the request that it answers, and whether its caller had gone before it came. */
  readonly hash?: string;
  readonly undelivered?: boolean;
  /** By `Idempotency-Key`, the latest last. */
  readonly answers: readonly { readonly key: string; readonly data: JsonObject }[];
  /** What people wrote to the session up to this sequence has been heard. */
  readonly heard: number;
  readonly messages: number;
  /** The message of the action that the client does now. */
  readonly step?: StepMessage;
  /** What the plan said last. */
  readonly plan?: string;
  /** INT-271: as long as the task is open. */
  readonly screenshot?: string;
}

export const FRESH_PART: TaskPart = { queries: [], answers: [], heard: 0, messages: 0 };

/** In a task that this port began: its state is this port's to change. */
export const OWN_KIND = 'interact';

export const isOwn = ({ body }: Pick<TaskRecord, 'body'>): boolean => body['kind'] === OWN_KIND;

/** It was written here, and the ledger has checked the row. */
export function parsePart({ body }: Pick<TaskRecord, 'body'>): TaskPart | undefined {
  return body['interact'] as TaskPart | undefined;
}

/** What of it outlives the task: what was spent, and nothing that a page showed or that was typed into one. */
export function bodyAtEnd({ interact: _, ...body }: JsonObject, part: TaskPart | undefined): JsonObject {
  const spent = part?.memory?.spent;
  return spent === undefined ? body : { ...body, interact: asJson({ ...FRESH_PART, memory: { spent } }) };
}

/** A part, a memory and an answer are JSON that was, or will be, a row. */
export function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
