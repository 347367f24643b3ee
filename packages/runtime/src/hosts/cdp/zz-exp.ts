import { launchBrowser, browserBinary } from './index.ts';
import { createServer } from 'node:http';
process.env['REAL_CHROME'] = browserBinary();
const server = createServer((q, r) => { r.setHeader('content-type','text/html');
 r.end(`<!doctype html><body><script>
    for (let at = 0; at < 300; at++) {
      const row = document.createElement(at % 2 ? 'p' : 'div');
      row.textContent = 'Row ' + at;
      row.addEventListener('click', () => {});
      document.body.append(row);
    }
  </script>`)});
await new Promise<void>((k)=>server.listen(0,'127.0.0.1',()=>k()));
const { port } = server.address() as any;
for (let round=0; round<2; round++) {
const b = await launchBrowser({ headless: true, url: `http://127.0.0.1:${port}/` });
const [h] = b.surfaces();
try { for (let k=0;k<8;k++) { const s: any = await h!.callPage('snapshot', [{scope:'page'}]); console.log(s.page.interactive_tree.length, JSON.stringify((h as any).sightFigures())); } } catch (e: any) { console.log('ERR', e.message); }
await b.close(); }
server.close();
