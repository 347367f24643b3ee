import type { Refusal } from '../writes.ts';

/** Thrown inside a transaction to roll it back; never leaves the store. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}
