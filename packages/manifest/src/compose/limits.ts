/** Limits of a composition. An import beyond a limit adds nothing and is reported. */
export interface ComposeLimits {
  /** Nesting of imports; 1 allows only the root map's own imports. */
  readonly maxDepth: number;
  /** Number of maps read. */
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
