import type { Identity } from '../../core/ports.ts';
import { isPerson, mayAct } from '../guard/permission.ts';

/** A person of the house, not a guest of a session: what is kept, and what is stopped, concerns everybody. */
export const isAtHome = (identity: Identity): boolean => isPerson(identity) && mayAct(identity);
