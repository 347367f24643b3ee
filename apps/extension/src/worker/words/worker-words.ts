import { BridgeError } from '@drawbridge/protocol';
import type { Settings } from '../../wire.ts';
import { de } from './de.ts';
import { en, type Reason, type WorkerWords } from './en.ts';

/** Chosen like the texts of the extension's pages. */
export const workerWords = (language: Settings['language'], browser: string): WorkerWords =>
  (language === 'auto' ? browser : language).startsWith('de') ? de : en;

/** An error shown in the person's language and logged in English. */
export function personError(code: BridgeError['code'], reason: Reason, at = ''): BridgeError {
  return new BridgeError(code, en.why[reason](at), { evidence: { reason, ...(at !== '' && { at }) } });
}

/** An error for a person; those without a text keep their message. */
export function whyFor(words: WorkerWords, error: unknown): string {
  if (!(error instanceof BridgeError)) return error instanceof Error ? error.message : String(error);
  const { reason, at = '', error_page } = error.evidence;
  const known = [error_page === true ? 'error_page' : reason, error.code].find(isReason);
  return known === undefined ? error.message : words.why[known](String(at));
}

export const isReason = (value: unknown): value is Reason =>
  typeof value === 'string' && Object.hasOwn(en.why, value);
