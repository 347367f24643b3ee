import { createGrantBook, type Grant, type GrantBook } from '@drawbridge/runtime';
import { STORED } from '../wire.ts';
import { openStoredValue } from './stored-value.ts';
import { parseGrants } from './stored-values.ts';

/** Stores "always" grants permanently, and grants of lent tabs until the browser closes. */
export async function openGrants(): Promise<GrantBook> {
  const [always, loans] = await Promise.all([
    openStoredValue('local', STORED.grants, parseGrants),
    openStoredValue('session', 'loans', parseGrants),
  ]);
  const book = createGrantBook({
    now: Date.now,
    newId: () => crypto.randomUUID(),
    grants: [...always.get(), ...loans.get()],
  });
  const isLoan = ({ runtime_key }: Grant): boolean => runtime_key !== undefined;
  book.onChange((grants) => {
    void always.set(grants.filter((grant) => !isLoan(grant)));
    void loans.set(grants.filter(isLoan));
  });
  return book;
}
