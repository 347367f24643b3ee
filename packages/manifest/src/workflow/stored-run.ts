import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { WorkflowRun } from './run.ts';

/** Reads a stored run. The text is the host's own, so only its kind is checked. */
export function readRun(text: string): WorkflowRun {
  const value: unknown = parse(text);
  if (isRun(value)) return value;
  throw new BridgeError('invalid_workflow', 'This is no stored run of a workflow, version 1.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRun(value: unknown): value is WorkflowRun {
  if (!isObject(value)) return false;
  const { version, plan, phase, current, finished, trace, limits, started_at } = value;
  const lists = isObject(plan) && [plan['steps'], finished, trace].every(Array.isArray);
  const parts = isObject(phase) && typeof phase['kind'] === 'string' && isObject(current) && isObject(limits);
  return version === 1 && lists && parts && typeof started_at === 'number';
}
