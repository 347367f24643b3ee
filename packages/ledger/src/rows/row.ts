import type { SQLOutputValue } from 'node:sqlite';
import { LedgerError } from '../ledger-error.ts';
import type { Json, JsonObject } from '../records.ts';

export type Row = Record<string, SQLOutputValue>;

/** A column with an undeclared type was changed behind the ledger's back, and is never returned. */
export function damaged(what: string, cause?: unknown): LedgerError {
  return new LedgerError(
    'ledger_damaged',
    `The ledger is damaged: ${what}. Stop the relay and restore a backup; verify() names the first broken row.`,
    cause,
  );
}

/** Checks that a row is as written (`row-check.ts`). */
export function intact(row: Row, what: string): Row {
  if (row['computed'] !== row['checked']) throw damaged(`${what} is not what was written`);
  return row;
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw damaged(`column ${column} holds no text`);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw damaged(`column ${column} holds no number`);
  return value;
}

export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

export function hex(row: Row, column: string): string {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw damaged(`column ${column} holds no hash`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
}

export function oneOf<Word extends string>(row: Row, column: string, words: readonly Word[]): Word {
  const value = row[column];
  const word = words.find((each) => each === value);
  if (word === undefined) throw damaged(`column ${column} holds none of ${words.join(', ')}`);
  return word;
}

export function json(row: Row, column: string): Json {
  const source = text(row, column);
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw damaged(`column ${column} holds no JSON`, cause);
  }
}

export function texts(row: Row, column: string): readonly string[] {
  const value = json(row, column);
  if (!Array.isArray(value)) throw damaged(`column ${column} holds no list`);
  return value.map(String);
}

export function jsonObject(row: Row, column: string): JsonObject {
  const value = json(row, column);
  if (!isJsonObject(value)) throw damaged(`column ${column} holds no JSON object`);
  return value;
}

export function jsonObjectOrNull(row: Row, column: string): JsonObject | null {
  return row[column] === null ? null : jsonObject(row, column);
}

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
