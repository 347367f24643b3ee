import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { startAgent } from './mcp-client.ts';

/** Four sliders: heard by events, heard by the mouse alone, moved by keys, moved by dragging alone. */
const PAGE = `<!doctype html><meta charset=utf-8><title>Sliders</title>
<style>[role=slider] { width: 300px; height: 20px; background: #ccc } [role=slider] i { display: block; width: 20px; height: 20px; background: #333 }</style>
<label>Plain <input type=range id=plain min=0 max=50 value=5></label> <output id=o1></output>
<label>Mouse <input type=range id=mouse min=10 max=60 step=5 value=20></label> <output id=o2></output>
<div role=slider aria-label=Keys id=keys tabindex=0 aria-valuemin=0 aria-valuemax=50 aria-valuenow=5><i></i></div>
<div role=slider aria-label=Drag id=drag tabindex=0 aria-valuemin=0 aria-valuemax=50 aria-valuenow=0><i></i></div>
<output id=o3></output>
<script>
  plain.oninput = () => { o1.value = 'plain set to ' + plain.value; };
  mouse.onpointerup = () => { o2.value = 'mouse set to ' + mouse.value; };
  keys.onkeydown = ({ key }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
    keys.setAttribute('aria-valuenow', Number(keys.getAttribute('aria-valuenow')) + by);
  };
  let held = false;
  const follow = (x) => {
    const { left, width } = drag.getBoundingClientRect();
    const value = Math.round(Math.min(1, Math.max(0, (x - left - 10) / (width - 20))) * 50);
    drag.setAttribute('aria-valuenow', value);
    drag.firstElementChild.style.marginLeft = value / 50 * 280 + 'px';
    o3.value = 'dragged to ' + value;
  };
  drag.onmousedown = () => { held = true; };
  onmousemove = ({ clientX }) => held && follow(clientX);
  onmouseup = () => { held = false; };
</script>`;

test('fills a slider by its value, else by keys or by dragging, and says which', async () => {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const { callForText } = await startAgent({ url });
  const fill = async (name: string, value: string) =>
    (await callForText('act', { steps: [{ do: 'fill', target: `slider ${name}`, value }] })).text;
  const plain = await fill('Plain', '30');
  expect(plain.split('\n')[0]).toBe('fill slider Plain ok');
  expect(plain).toContain('plain set to 30');
  const mouse = await fill('Mouse', '45');
  expect(mouse.split('\n')[0]).toBe('fill slider Mouse by dragging ok');
  expect(mouse).toContain('mouse set to 45');
  expect((await fill('Keys', '17')).split('\n')[0]).toBe('fill slider Keys by keys ok');
  const drag = await fill('Drag', '33');
  expect(drag.split('\n')[0]).toBe('fill slider Drag by dragging ok');
  const { text } = await callForText('snapshot', { scope: 'page', fresh: true });
  expect(text).toContain('dragged to 33');
  expect(text).toMatch(/Keys ="17"/);
  server.closeAllConnections();
  server.close();
});
