import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Vitest kills its workers, and V8 reports only on a regular exit, so each test file writes its own report.
 */
const folder = process.env['NODE_V8_COVERAGE'] ?? '';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => /\/(packages|apps)\//.test(url) && !url.includes('node_modules'));
  writeFileSync(
    join(folder, `worker-${process.pid}-${performance.now()}.json`),
    JSON.stringify({ result: own }),
  );
  session.disconnect();
});
