import type { Section } from './parts.ts';

/** Why an import adds nothing, or a composed map is less than it says. */
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
  /** Ids of the imports on the way to where it is; empty for the root map. */
  readonly imports: readonly string[];
  readonly message: string;
  /** What the loader or the validator said, in its own codes. */
  readonly details?: readonly {
    readonly code: string;
    readonly message: string;
    readonly pointer?: string;
  }[];
}

/** Two parts that wanted one name, and what was done about it. */
export interface Conflict {
  readonly section: Section;
  readonly name: string;
  /** `kept` and `gaveWay` say whose part it was: import ids from the root, empty for the root map. */
  readonly kept: readonly string[];
  readonly gaveWay: readonly string[];
  readonly outcome: 'left_out' | 'prefixed' | 'refused';
  /** The name that the one which gave way has now. */
  readonly renamedTo?: string;
}

/** Thrown by a loader that will not read a source. Its message is safe to show: no path, no content. */
export class LoadRefusal extends Error {
  override readonly name = 'LoadRefusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
