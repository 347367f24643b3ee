import { openPage } from '@drawbridge/testbed';
import { test } from 'vitest';
import { pageCodeBundle } from '../page.suite.ts';

test('cost', { timeout: 120000 }, async () => {
  for (const mode of ['off', 'on', 'off', 'on']) {
    await using opened = await openPage();
    const { page } = opened;
    await page.setContent(
      '<!doctype html><div id=l></div><p id=t></p><div role=status id=s></div>' +
        '<p><a href=#>x</a> text</p>'.repeat(500),
    );
    await page.evaluate(await pageCodeBundle());
    if (mode === 'on')
      await page.evaluate(() => {
        (globalThis as any).w = (globalThis as any).drawbridgePage.createWatch({ document });
      });
    const cdp = await opened.context.newCDPSession(page);
    await cdp.send('Performance.enable');
    const m = async () =>
      Object.fromEntries(
        (await cdp.send('Performance.getMetrics')).metrics.map((x: any) => [x.name, x.value]),
      );
    const before = await m(); await cdp.send('Profiler.enable'); await cdp.send('Profiler.start');
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let n = 0;
          const l = document.querySelector('#l')!,
            t = document.querySelector('#t')!,
            s = document.querySelector('#s')!;
          const timer = setInterval(() => {
            n++;
            const p = document.createElement('p');
            p.textContent = 'Log line ' + n;
            l.append(p);
            if (l.childElementCount > 50) l.firstElementChild!.remove();
            t.textContent = 'Tick ' + n;
            if (n % 20 === 0) s.textContent = 'Status ' + n;
            (t as HTMLElement).className = 'c' + n;
            if (n === 500) {
              clearInterval(timer);
              resolve();
            }
          }, 10);
        }),
    );
    const after = await m(); const { profile } = await cdp.send('Profiler.stop');
    const self = new Map<string, number>(); const byId = new Map(profile.nodes.map((n: any) => [n.id, n]));
    profile.samples!.forEach((id: number, k: number) => { const n: any = byId.get(id); const name = n.callFrame.functionName + ':' + n.callFrame.lineNumber; self.set(name, (self.get(name) ?? 0) + profile.timeDeltas![k]! / 1000); });
    console.log([...self].sort((a, b) => b[1] - a[1]).slice(0, 16).map(([n, v]) => n + ' ' + v.toFixed(0)).join(' | '));
    const d = (k: string) => ((after[k] - before[k]) * 1000).toFixed(0);
    console.log(
      mode,
      'task',
      d('TaskDuration'),
      'script',
      d('ScriptDuration'),
      'style',
      d('RecalcStyleDuration'),
      'layout',
      d('LayoutDuration'),
      'wall',
      d('Timestamp'),
    );
  }
});
