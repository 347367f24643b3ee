import { startChromium } from './chromium.ts';
import { servePages } from './page-server.ts';
import { ourCode, sketchCode, costsOf } from './in-page-subjects.ts';
const served = await servePages('/work/shared/corpus');
const chromium = await startChromium();
const sketch = sketchCode('/work/shared/baseline/sketch-v3.js');
try {
for (const {pages} of served.groups) for (const page of pages) {
  if (!/yahoo|gitlab|wikipedia-2|buzz|telegraph|wordpress/.test(page.name)) continue;
  const a = await chromium.openTab(), b = await chromium.openTab();
  await a.goto(page.url); await b.goto(page.url);
  await ourCode.start(a); await sketch.start(b);
  const x = JSON.parse(await a.evaluate(ourCode.subjects[0].text)), y = JSON.parse(await b.evaluate(sketch.subjects[0].text));
  const seq = (t)=>t.map(n=>JSON.stringify({...n,i:0}));
  const sx=new Set(seq(x)), sy=new Set(seq(y));
  console.log(page.name, x.length, y.length, 'ids ours', x.map(n=>n.i).join(' '), '| sketch', y.map(n=>n.i).join(' '));
  for (const n of sx) if (!sy.has(n)) console.log('  +', n);
  for (const n of sy) if (!sx.has(n)) console.log('  -', n);
  await a.close(); await b.close();
}
} catch(e) {console.log(e)} finally { await chromium.close(); await served.close(); }
process.exit(0);
