import { defineConfig } from 'vitest/config';
import slowTests from './scripts/slow-tests.json' with { type: 'json' };

/** Only a test that hangs takes this long, however loaded the machine is. */
const TIMEOUT_MS = 240_000;
const patient = { poll: { timeout: 60_000 } };

/** Node runs our sources as they are, and faster than Vite does, which would look up each import. */
const native = { viteModuleRunner: false, nodeLoader: false };

/**
 * `npm run deep` runs slow tests, and `npm test` with a pattern: packing builds everything, and each rule that these stories show,
 * a smaller test shows too.
 */
const runsSlow = ['DRAWBRIDGE_DEEP', 'DRAWBRIDGE_NAMED'].some((name) => process.env[name] !== undefined);
const ignored = [
  '**/node_modules/**',
  '**/.cache/**',
  '**/dist/**',
  'bench/**',
  ...(runsSlow ? [] : slowTests),
];

/** Set by `npm run coverage`. */
const coverage = process.env['NODE_V8_COVERAGE'] === undefined ? [] : ['scripts/coverage/worker.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          experimental: native,
          // Tests that kill relays mostly wait for the next one.
          maxWorkers: 4,
          include: ['**/*.test.ts'],
          exclude: [...ignored, '**/*.browser.test.ts'],
          setupFiles: ['testbed/src/fixed-seed.ts', ...coverage],
          testTimeout: TIMEOUT_MS,
          expect: patient,
          hookTimeout: TIMEOUT_MS,
          // Loading the packages again for each of 300 files took as long as the tests.
          isolate: false,
          // Relays that are killed under load fill every core: they end before a page is looked at.
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'browser',
          experimental: native,
          // They mostly wait: four at a time leave less of a small machine idle than two, and six gain nothing more.
          maxWorkers: 4,
          include: ['**/*.browser.test.ts'],
          exclude: ignored,
          globalSetup: ['testbed/src/shared-chromium.ts'],
          setupFiles: ['testbed/src/each-file.ts', 'testbed/src/fixed-seed.ts', ...coverage],
          testTimeout: TIMEOUT_MS,
          expect: patient,
          hookTimeout: TIMEOUT_MS,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
