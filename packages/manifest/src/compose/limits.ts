/** How far composing goes. Beyond a limit an import adds nothing and the result says so. */
export interface ComposeLimits {
  /** Imports of imports: 1 is what the root map itself imports. */
  readonly maxDepth: number;
  /** Maps read in all. */
  readonly maxImports: number;
  readonly maxMapChars: number;
  readonly maxTotalChars: number;
  readonly maxTools: number;
}

export const DEFAULT_COMPOSE_LIMITS: ComposeLimits = {
  maxDepth: 4,
  maxImports: 32,
  maxMapChars: 1_048_576,
  maxTotalChars: 4_194_304,
  maxTools: 1_000,
};
