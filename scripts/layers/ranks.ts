/** Lower numbers know nothing of higher ones. ARCHITECTURE.md says what lives in each. */
export const RANKS: Readonly<Record<string, number>> = {
  protocol: 0,
  manifest: 1,
  bridge: 1,
  link: 1,
  page: 1,
  brain: 1,
  mcp: 2,
  runtime: 2,
  ui: 2,
  relay: 3,
  proxy: 3,
  extension: 4,
  web: 4,
  'demo-shop': 4,
  cli: 5,
  testbed: 5,
};

/** Packages that compile against the language alone: no DOM, no Node, no timers. */
export const PURE: readonly string[] = ['protocol', 'manifest', 'bridge', 'brain'];

export const MAX_SOURCE_LINES = 700;

/** The lint rules that keep the layers apart. */
export const BOUNDARY_RULES = {
  correctness: ['noUndeclaredDependencies'],
  suspicious: ['noImportCycles'],
} as const;
