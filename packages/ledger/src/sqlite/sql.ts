import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Row } from '../rows/row.ts';

/** A connection that caches its prepared statements. */
export interface Sql {
  readonly one: (text: string, ...values: SQLInputValue[]) => Row | undefined;
  readonly each: (text: string, ...values: SQLInputValue[]) => Iterable<Row>;
  readonly all: (text: string, ...values: SQLInputValue[]) => readonly Row[];
  /** Returns the number of changed rows. */
  readonly run: (text: string, ...values: SQLInputValue[]) => number;
}

export function createSql(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return {
    one: (text, ...values) => prepare(text).get(...values),
    each: (text, ...values) => prepare(text).iterate(...values),
    all: (text, ...values) => prepare(text).all(...values),
    run: (text, ...values) => Number(prepare(text).run(...values).changes),
  };
}
