import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** `before`: not done. `after`: done, and reported as failed. */
export type Failing = { readonly when: 'before' | 'after'; readonly from: number; readonly through: number };

/** SQLite's error when the disk fails: https://sqlite.org/rescode.html#ioerr */
const ioError = () => Object.assign(new Error('disk I/O error'), { errcode: 10 });

/** A database whose Nth operation after arming fails. */
export class FailingDatabase extends DatabaseSync {
  #failing: Failing | undefined;
  operations = 0;

  arm(failing: Failing | undefined): void {
    this.#failing = failing;
    this.operations = 0;
  }

  #attempt<Result>(operate: () => Result): Result {
    this.operations += 1;
    const { when, from, through } = this.#failing ?? { when: 'before', from: 0, through: 0 };
    const fails = this.operations >= from && this.operations <= through;
    if (fails && when === 'before') throw ioError();
    const result = operate();
    if (fails) throw ioError();
    return result;
  }

  override exec(sql: string): void {
    this.#attempt(() => super.exec(sql));
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    const { run, get, all } = statement;
    statement.run = (...values) => this.#attempt(() => Reflect.apply(run, statement, values));
    statement.get = (...values) => this.#attempt(() => Reflect.apply(get, statement, values));
    statement.all = (...values) => this.#attempt(() => Reflect.apply(all, statement, values));
    return statement;
  }
}
