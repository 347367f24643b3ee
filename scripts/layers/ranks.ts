/** A package may depend only on lower ranks. ARCHITECTURE.md describes each. */
export const RANKS: Readonly<Record<string, number>> = {
  base: 0,
  protocol: 0,
  manifest: 1,
  bridge: 1,
  link: 1,
  page: 1,
  brain: 1,
  mcp: 2,
  runtime: 2,
  ledger: 2,
  ui: 2,
  relay: 3,
  proxy: 3,
  extension: 4,
  web: 4,
  'demo-shop': 4,
  cli: 5,
  testbed: 5,
};

/** Packages that compile without DOM, Node and timers. */
export const PURE: readonly string[] = ['base', 'protocol', 'manifest', 'bridge', 'brain'];

export const MAX_SOURCE_LINES = 700;

/** Lint rules that enforce the layers. */
export const BOUNDARY_RULES = {
  correctness: ['noUndeclaredDependencies'],
  suspicious: ['noImportCycles'],
} as const;
