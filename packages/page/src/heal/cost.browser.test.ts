import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openPage } from '@drawbridge/testbed';
import { test } from 'vitest';
import { pageCodeBundle } from '../page.suite.ts';
test('cost', { timeout: 200000 }, async () => {
  const dir = '/work/shared/corpus';
  const files = readdirSync(dir, { recursive: true }).map(String).filter((f) => f.endsWith('.html')).slice(0, 10);
  await using opened = await openPage();
  const { page } = opened;
  await page.route('**/*', (r: any) => r.request().url().startsWith('http://page.test') ? r.fulfill({ contentType: 'text/html', body: (globalThis as any).html }) : r.abort());
  const big = '<!doctype html><main>' + Array.from({ length: 5000 }, (_, i) => `<div class=row><span>Row ${i}</span><a href=#>Open</a><button>Delete</button></div>`).join('') + '</main>';
  for (const f of ['big', ...files]) {
    (globalThis as any).html = f === 'big' ? big : readFileSync(join(dir, f), 'utf8');
    await page.goto('http://page.test/', { waitUntil: 'domcontentloaded' });
    await page.evaluate(await pageCodeBundle());
    const out = await page.evaluate(() => {
      const d = (globalThis as any).drawbridgePage; const res: any = {};
      for (const mode of ['plain', 'noted', 'plain', 'noted']) {
        const watch = d.createWatch({ document });
        const base = d.createElementRegistry();
        const registry = mode === 'noted' ? d.noteBelonging(base, watch) : base;
        const p = d.createPerception({ document, registry });
        p.snapshot({});
        const t = performance.now(); for (let i = 0; i < 5; i++) p.snapshot({}); res[mode] = ((performance.now() - t) / 5).toFixed(1);
        const t2 = performance.now(); const n = p.snapshot({ scope: 'page' }).page.interactive_tree.length; res[mode + 'Page'] = (performance.now() - t2).toFixed(0) + '/' + n;
        watch.close();
      }
      return res;
    });
    console.log(f, JSON.stringify(out));
  }
});
