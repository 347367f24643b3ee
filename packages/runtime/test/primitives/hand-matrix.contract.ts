import { readFileSync } from 'node:fs';
import { BridgeError } from '@drawbridge/protocol';
import type { PrimitiveName } from '@drawbridge/protocol/primitives';
import { isDeep } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { idOf, type PrimitiveHarness } from './primitive-harness.ts';
import type { ConformingHost } from './primitives.contract.ts';

/** A page that writes down every event, and whether it came from trusted input. */
const PAGE = `<title>Matrix</title>
<style>body { margin: 0; height: 3000px; font: 16px monospace } div, p { margin: 0; width: 200px; height: 60px }</style>
<div role="img" aria-label="Pad" tabindex="0"></div>
<p role="note" aria-label="Words" tabindex="0">The quick fox</p>
<input aria-label="Name"><input type="checkbox" aria-label="Tick"><input type="file" aria-label="File">
<select aria-label="Size"><option>Small</option><option>Large</option></select>
<input type="range" aria-label="Volume"><input type="date" aria-label="Day"><input type="color" aria-label="Paint">
<p role="note" aria-label="Bin" tabindex="0" ondragover="event.preventDefault()">Drop here</p><p draggable="true" role="note" aria-label="Card">Card</p>
<script>
  window.log = [];
  for (const type of 'click dblclick contextmenu auxclick mousedown mousemove mouseup touchstart touchmove wheel keydown keyup input change drop'.split(' '))
    addEventListener(type, (event) => {
      window.log.push(type + ' ' + event.isTrusted);
      if (type === 'contextmenu') event.preventDefault();
      if (type === 'mousedown') document.querySelector('p').nextSibling.data = 'pressed';
      if (type === 'mouseup') document.querySelector('p').nextSibling.data = '';
    }, true);
</script>`;

type Args = Readonly<Record<string, unknown>>;
/** The step as the table names it, its primitive, on an element of this name, and the event by which the page hears it. */
type Row = readonly [
  step: string,
  primitive: PrimitiveName,
  args: Args,
  on?: string | undefined,
  hears?: string,
];

/** The event of a key that the browser itself answers, before the call ends. */
const PASTED = 'input';
/** Chrome lets an extension take pictures of a page where its button was pressed. */
const PERMITTED = 'yes, once the extension’s button is pressed there';
/** Points inside the pad. */
const PATH = [5, 20, 40].map((at) => [at, at]);

const ROWS: readonly Row[] = [
  ['`click`', 'element.click', {}, 'Pad', 'click'],
  ['`double_click`', 'element.click', { count: 2 }, 'Pad', 'dblclick'],
  ['`triple_click`', 'element.click', { count: 3 }, 'Pad', 'click'],
  ['`right_click`', 'element.click', { button: 'right' }, 'Pad', 'contextmenu'],
  ['`middle_click`', 'element.click', { button: 'middle' }, 'Pad', 'auxclick'],
  ['`click` with `modifiers`', 'element.click', { modifiers: ['Shift'] }, 'Pad', 'click'],
  ['`click` on the page', 'element.click', { at: [20, 20] }, undefined, 'click'],
  ['`tap`', 'element.click', { touch: true }, 'Pad', 'touchstart'],
  ['`double_tap`', 'element.click', { touch: true, count: 2 }, 'Pad', 'touchstart'],
  ['`hold`', 'element.click', { hold_ms: 20 }, 'Pad', 'mousedown'],
  ['`hold` until a text', 'element.click', { hold_ms: 5_000, until: 'pressed' }, 'Pad', 'mousedown'],
  ['`hover`', 'element.hover', { at: [9, 9] }, 'Pad', 'mousemove'],
  ['`hover` along a `path`', 'element.hover', { path: PATH }, 'Pad', 'mousemove'],
  ['`drag`', 'element.drag', { by: [20, 0] }, 'Pad', 'mouseup'],
  ['`drag` onto an element', 'element.drag', { to_id: 'Bin' }, 'Card', 'drop'],
  ['`drag` along a `path`', 'element.drag', { path: PATH }, 'Pad', 'mouseup'],
  ['`swipe`', 'element.drag', { by: [30, 0], touch: true }, 'Pad', 'touchmove'],
  ['`wheel`', 'element.wheel', { by: [0, 5] }, 'Pad', 'wheel'],
  ['`scroll`', 'element.scroll_to', { to: 'start' }],
  ['`focus`', 'element.focus', {}, 'Pad'],
  ['`fill`', 'element.fill', { text: 'a' }, 'Name', 'input'],
  ['`fill` of a slider', 'element.fill', { text: '70' }, 'Volume', 'input'],
  ['`fill` of a date or time', 'element.fill', { text: '2026-01-31' }, 'Day', 'input'],
  ['`fill` of a colour', 'element.fill', { text: '#63584d' }, 'Paint', 'input'],
  ['`type`', 'element.type', { text: 'b' }, 'Name', 'input'],
  ['`select`', 'element.select', { choice: { label: 'Large' } }, 'Size', 'change'],
  ['`select_text`', 'element.select_text', { text: 'quick' }, 'Words'],
  ['`check`', 'element.check', {}, 'Tick', 'click'],
  ['`uncheck`', 'element.uncheck', {}, 'Tick', 'click'],
  ['`keys`', 'element.keys', { keys: 'a' }, 'Pad', 'keydown'],
  ['`keys` with `ms`', 'element.keys', { keys: 'a', hold_ms: 20 }, 'Pad', 'keydown'],
  ['`keys` `Control+c`', 'element.keys', { keys: ['Control+a', 'Control+c'] }, 'Name', 'keydown'],
  ['`keys` `Control+v`', 'element.keys', { keys: 'Control+v' }, 'Name', PASTED],
  ['`key_down`', 'element.keys', { keys: 'Shift', phase: 'down' }, 'Pad', 'keydown'],
  ['`key_up`', 'element.keys', { keys: 'Shift', phase: 'up' }, 'Pad', 'keyup'],
  ['`upload`', 'element.upload', { files: [{ name: 'a.txt', base64: 'YQ==' }] }, 'File', 'change'],
  ['`accept_dialog`', 'browser.dismiss_dialog', { accept: true }],
  ['`dismiss_dialog`', 'browser.dismiss_dialog', {}],
  ['`wait`', 'page.wait', { for: 'text', text: 'quick' }],
  ['`wait_gone`', 'page.wait', { for: 'text_gone', text: 'nothing' }],
  ['`look`', 'page.snapshot', {}],
  ['`screenshot`', 'browser.screenshot', { format: 'jpeg' }],
];

/** Runs every kind of step, and compares what came of it with a column of the table for agents. */
export function describeHandMatrix({ host, fidelity, show, start }: ConformingHost, column: number): void {
  test(`[BRG-210] the table of steps says how the ${host} host does each, ${fidelity}`, async () => {
    const harness = await start(await show(PAGE));
    // Variants take as long as the rest.
    const rows = isDeep ? ROWS : ROWS.filter(([step]) => /^`\w+`$/.test(step));
    const done: Record<string, string> = {};
    for (const row of rows) done[row[0]] = await cellOf(row, harness);
    const said = documented(column);
    expect(done).toEqual(Object.fromEntries(rows.map(([step]) => [step, said[step]])));
    expect(Object.keys(said).sort()).toEqual(ROWS.map(([step]) => step).sort());
  });
}

async function cellOf([, name, args, on, hears]: Row, harness: PrimitiveHarness): Promise<string> {
  const { tab } = harness;
  const id = on === undefined ? {} : { id: await idOf(harness, on) };
  const onto = args['to_id'] === undefined ? {} : { to_id: await idOf(harness, String(args['to_id'])) };
  await tab.evaluate(() => Reflect.set(window, 'log', []));
  const error = await harness.runAny(name, { ...id, ...args, ...onto }).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof BridgeError && error.evidence['reason'] === 'not_permitted') return PERMITTED;
  if (error instanceof BridgeError && error.code === 'capability_unavailable')
    return `refused: ${error.message.replace(/^.*? (?:has no|cannot do) [\w.]+\. /, '')}`;
  // No dialog is open: that is no lack of the host.
  if (error !== undefined && name !== 'browser.dismiss_dialog') throw error;
  if (hears === undefined) return 'yes';
  const log = async () => {
    const all: unknown = await tab.evaluate(() => Reflect.get(window, 'log'));
    return [all].flat().filter((line) => String(line).startsWith(`${hears} `));
  };
  if (name === 'element.keys' && hears === PASTED) return (await log()).length > 0 ? 'yes' : 'no effect';
  await expect.poll(log).not.toEqual([]);
  return (await log()).includes(`${hears} true`) ? 'trusted' : 'events';
}

function documented(column: number): Record<string, string> {
  const page = readFileSync(new URL('../../../../docs/agents/mcp.md', import.meta.url), 'utf8');
  const [, table = ''] =
    /### Where each step works([\s\S]*?)\n\n##? /.exec(page) ??
    /### Where each step works([\s\S]*)/.exec(page) ??
    [];
  const rows = [...table.matchAll(/^\| (`.*?) \|(.*)\|$/gm)];
  return Object.fromEntries(
    rows.map(([, kind = '', cells = '']) => [kind, cells.split('|')[column]?.trim() ?? '']),
  );
}
