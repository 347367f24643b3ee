import { defineConfig } from 'vitest/config';

/** Only a test that hangs takes this long, however loaded the machine is. */
const TIMEOUT_MS = 240_000;
const patient = { poll: { timeout: 60_000 } };

/** Node runs our sources as they are, and faster than Vite does, which would look up each import. */
const native = { viteModuleRunner: false, nodeLoader: false };

/** For `npm run deep`: packing builds everything, and each rule that these stories show, a smaller test shows too. */
const slow = [
  'packaging/packed.test.ts',
  'docs/cluster.test.ts',
  'docs/demo.browser.test.ts',
  'docs/remote.test.ts',
  'e2e/story.browser.test.ts',
  'e2e/brain-cli.browser.test.ts',
  'e2e/brain-tasks.browser.test.ts',
  'e2e/growing-kill.test.ts',
  'e2e/mcp-shop.browser.test.ts',
  'e2e/boundary/gullible-extension.browser.test.ts',
  'e2e/boundary/mutants.test.ts',
  'e2e/proxy-panels.browser.test.ts',
  'apps/cli/src/demo/demo-story.browser.test.ts',
  'apps/cli/src/demo/own-relay-demo.browser.test.ts',
  'apps/demo-shop/src/corners.browser.test.ts',
  'apps/demo-shop/src/forms.browser.test.ts',
  'apps/extension/src/shop.browser.test.ts',
  'packages/runtime/src/primitives/shipped-maps.browser.test.ts',
  'packages/relay/src/cluster/cluster-kill.test.ts',
  'packages/relay/src/cluster/failover.test.ts',
  'packages/ledger/src/postgres/outage.test.ts',
  'packages/relay/src/cluster/full-load.test.ts',
  'packages/relay/src/year/year.test.ts',
  'packages/relay/src/server/sessions-api/retention-load.test.ts',
  'e2e/brain-rules.browser.test.ts',
  'e2e/chaos.browser.test.ts',
  'e2e/proxy-kill-panels.browser.test.ts',
  'apps/cli/src/browser/joined-relay.browser.test.ts',
  'apps/cli/src/demo/demo.browser.test.ts',
  'apps/cli/src/task/task.browser.test.ts',
  'apps/demo-shop/src/purchase.browser.test.ts',
  'apps/extension/src/panel/real-pages.browser.test.ts',
  'apps/extension/src/worker/store-build.browser.test.ts',
  'apps/web/src/chaos.browser.test.ts',
  'apps/web/src/hostile.browser.test.ts',
  'maps/library/library-map.browser.test.ts',
  'maps/shop/shop-map.browser.test.ts',
  'packages/page/src/act/shop.browser.test.ts',
  'packages/page/src/heal/torture.browser.test.ts',
  'packages/page/src/perceive/shop.browser.test.ts',
  'packages/proxy/src/cdp/drift.browser.test.ts',
  'packages/relay/src/crash/kernel-fault.test.ts',
  'packages/runtime/src/drift/drift-report.browser.test.ts',
  'packages/runtime/src/record/recorder.browser.test.ts',
  'apps/cli/src/extension/store-zip.test.ts',
  'scripts/prometheus.test.ts',
];
/** `npm run deep` runs them, and `npm test` with a pattern. */
const runsSlow = ['DRAWBRIDGE_DEEP', 'DRAWBRIDGE_NAMED'].some((name) => process.env[name] !== undefined);
const ignored = ['**/node_modules/**', '**/.cache/**', '**/dist/**', 'bench/**', ...(runsSlow ? [] : slow)];

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
          // They mostly wait: four at a time leave less of a small machine idle than two.
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
