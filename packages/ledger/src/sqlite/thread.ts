import { Worker } from 'node:worker_threads';
import { workerEnvironment } from '@drawbridge/protocol/environment';
import type { LedgerReads } from '../ledger.ts';
import { LedgerError, type LedgerErrorCode } from '../ledger-error.ts';
import type { CommitResult } from '../writes.ts';
import type { Transaction } from './store.ts';

/** Requests from the relay's thread to the ledger's, answered in order. */
export type Request =
  | { readonly do: 'commit'; readonly group: readonly Transaction[] }
  | { readonly do: 'read'; readonly name: keyof LedgerReads; readonly args: readonly unknown[] }
  | { readonly do: 'return_space' }
  | { readonly do: 'close' };

export interface Failure {
  readonly code: LedgerErrorCode;
  readonly message: string;
}

export type GroupAnswer = readonly (CommitResult | Failure)[];

export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure };

/** The store is open, or why not. */
export type Opening = { readonly epoch: string } | Failure;

/** Sent before the opening when the file is rewritten first. */
export interface Rewriting {
  readonly rewriting: { readonly draft: string; readonly bytes: number };
}

export function startThread(entry: URL, workerData: object): Worker {
  return new Worker(entry, { argv: [], env: workerEnvironment(process.env), execArgv: [], workerData });
}

/** An Error's own fields are lost when it is cloned. */
export function failureOf({ code, message }: LedgerError): Failure {
  return { code, message };
}

export function errorOf({ code, message }: Failure): LedgerError {
  return new LedgerError(code, message);
}
