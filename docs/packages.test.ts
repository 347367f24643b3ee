import { sampled } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { followGuide } from './test/guide.ts';

/** Removes model keys, so that rules decide. */
const env = Object.fromEntries(
  [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GEMINI_API_KEY',
    'DRAWBRIDGE_MODEL',
  ]
    .concat('DRAWBRIDGE_MODEL_URL')
    .map((name) => [name, '']),
);

const PAGES = [
  'packages/brain/README.md',
  'packages/bridge/README.md',
  'packages/ledger/README.md',
  'packages/link/README.md',
  'packages/manifest/README.md',
  'packages/mcp/README.md',
  'packages/page/README.md',
  'packages/protocol/README.md',
  'packages/relay/README.md',
  'packages/runtime/README.md',
];

test.each(sampled(PAGES, 3))('%s prints the output that it shows', { timeout: 600_000 }, async (page) => {
  await using followed = await followGuide(page, { env, replace: { 'port: 7717': 'port: 0' } });
  expect(followed.misses).toEqual([]);
  expect(followed.commands.length).toBeGreaterThan(0);
});
