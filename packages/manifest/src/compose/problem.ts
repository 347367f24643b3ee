import type { Section } from './parts.ts';

/** Why an import adds nothing, or a composed map is incomplete. */
export type ProblemCode =
  | 'import_refused'
  | 'import_unreadable'
  | 'import_invalid'
  | 'import_cycle'
  | 'import_too_deep'
  | 'too_many_imports'
  | 'import_too_large'
  | 'too_many_tools'
  | 'namespace_required'
  | 'trust_refused'
  | 'name_conflict'
  | 'name_too_long'
  | 'unknown_reference'
  | 'foreign_reference';

export interface ComposeProblem {
  readonly code: ProblemCode;
  /** Import ids from the root map to the problem; empty for the root map. */
  readonly imports: readonly string[];
  readonly message: string;
  /** The loader's or validator's own codes. */
  readonly details?: readonly {
    readonly code: string;
    readonly message: string;
    readonly pointer?: string;
  }[];
}

/** Two parts that claimed one name, and the resolution. */
export interface Conflict {
  readonly section: Section;
  readonly name: string;
  /** Import ids from the root to each part's map; empty for the root map. */
  readonly kept: readonly string[];
  readonly gaveWay: readonly string[];
  readonly outcome: 'left_out' | 'prefixed' | 'refused';
  /** The new name of the part that lost. */
  readonly renamedTo?: string;
}

/** Thrown by a loader that refuses a source. The message is safe to show: no path, no content. */
export class LoadRefusal extends Error {
  override readonly name = 'LoadRefusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
