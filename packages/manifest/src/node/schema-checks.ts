import { BridgeError } from '@drawbridge/protocol';
import type { SchemaResult } from '../validate/json-schema.ts';
import type { Validation } from '../validate/validate.ts';
import { createThreadPool } from './evaluator.ts';

export interface SchemaChecksOptions {
  readonly workers?: number;
  readonly maxMs?: number;
}

/** Applies schemas and validates maps of other devices, in a thread that is killed at its timeout. */
export type SchemaChecks = ReturnType<typeof createSchemaChecks>;

const ENTRY = new URL('./schema-worker.ts', import.meta.url);
const MAX_BYTES = 16 * 1_048_576;

export function createSchemaChecks({ workers = 1, maxMs = 1_000 }: SchemaChecksOptions = {}) {
  const limits = { maxMs, maxOutputBytes: MAX_BYTES, maxInputBytes: MAX_BYTES, maxMemoryMb: 128 };
  const pool = createThreadPool(ENTRY, { workers, ...limits });
  return {
    /** `queueKey` is the device that the check is for. Devices take turns. */
    async check(schema: object, value: unknown, queueKey: string): Promise<SchemaResult> {
      try {
        return trustResult(await pool.evaluate('schema', [schema, value ?? null], { queueKey }));
      } catch (error) {
        if (!(error instanceof BridgeError)) throw error;
        return { ok: false, path: '', message: `cannot be checked: it took longer than ${maxMs} ms` };
      }
    },
    async validateMap(map: unknown, queueKey: string): Promise<Validation | undefined> {
      try {
        return trustValidation(await pool.evaluate('map', map, { queueKey }));
      } catch (error) {
        if (!(error instanceof BridgeError)) throw error;
        return undefined;
      }
    },
    close: (): Promise<void> => pool.close(),
  };
}

/** Trusted: the value comes from our own thread. */
const trustResult = (value: unknown): SchemaResult => value as SchemaResult;
const trustValidation = (value: unknown): Validation => value as Validation;
