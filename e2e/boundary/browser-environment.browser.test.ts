import { readFileSync } from 'node:fs';
import { startBrowser } from '@drawbridge/runtime/browser-process';
import { chromiumPath } from '@drawbridge/testbed';
import { expect, test, vi } from 'vitest';

test.runIf(process.platform === 'linux')(
  'finding 10: a launched browser gets only ordinary variables',
  async () => {
    for (const name of ['DRAWBRIDGE_TOKEN', 'DATABASE_URL', 'OPENAI_API_KEY', 'AWS_SECRET_ACCESS_KEY'])
      vi.stubEnv(name, 'canary-9a2e');
    const browser = await startBrowser({ executable: chromiumPath(), headless: true });
    try {
      const environment = readFileSync(`/proc/${browser.pid}/environ`, 'utf8');
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain('canary-9a2e');
    } finally {
      await browser.close();
      vi.unstubAllEnvs();
    }
  },
);
