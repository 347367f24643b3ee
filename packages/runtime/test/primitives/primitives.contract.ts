import { type HostKind, type PrimitiveName, primitivesFor } from '@drawbridge/protocol/primitives';
import { describe, expect, test } from 'vitest';
import { HOME, idOf, type PrimitiveHarness, pointOn, type Tab } from './primitive-harness.ts';

/** A host under test. */
export interface ConformingHost {
  readonly host: HostKind;
  /** Fidelity of its presses and keys. */
  readonly fidelity: 'synthetic' | 'trusted';
  /** Opens a new document with this content. */
  readonly show: (html?: string) => Promise<Tab>;
  readonly start: (tab: Tab) => Promise<PrimitiveHarness>;
  /** Whether calls come over a bridge, where the runtime supplies their origin (BRG-69). */
  readonly bridged?: boolean;
  /** Primitives that it lacks for its own reasons, each shown in another test. */
  readonly lacks?: readonly PrimitiveName[];
}

/** Every primitive of a host on a real page: the same tests for all hosts. */
export function describePrimitives(conforming: ConformingHost): void {
  const { host, fidelity, show, start, bridged = false, lacks = [] } = conforming;
  describe(`on the ${host} host, ${fidelity}`, () => {
    const ran = new Set<PrimitiveName>();

    /** Opens a page and records which primitives ran on it. */
    async function open(html?: string): Promise<PrimitiveHarness> {
      const harness = await start(await show(html));
      return {
        ...harness,
        run(name, args, origin) {
          ran.add(name);
          return harness.run(name, args, origin);
        },
      };
    }
    const textOf = ({ tab }: PrimitiveHarness, selector: string) => tab.locator(selector).textContent();

    test('looks at pages', async () => {
      const harness = await open();
      expect(await harness.run('page.info', {})).toEqual({ url: HOME, title: 'Garden' });
      const { snapshot_id = '', page, text } = await harness.run('page.snapshot', { form: 'lines' });
      expect(page?.interactive_tree.map(({ n }) => n)).toContain('Add');
      expect(text).toContain('Add');
      await harness.tab.locator('#add').evaluate((add) => {
        add.textContent = 'More';
      });
      expect(await harness.run('page.snapshot', { mode: 'delta', since: snapshot_id })).toMatchObject({
        unchanged: false,
      });
      expect((await harness.run('page.snapshot', { mode: 'skeleton' })).html).toContain('<button');
      expect((await harness.run('page.snapshot', { mode: 'full' })).html).toContain('Beans');
      await expect(harness.run('page.snapshot', { mode: 'delta' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect((await harness.run('page.read', {})).text).toContain('Spade');
      expect((await harness.run('page.read', { max_tokens: 5 })).next).toBeGreaterThan(0);
    });

    test('extracts records', async () => {
      const harness = await open();
      const entries = [
        {
          id: 'beds',
          selector: '.bed',
          many: true,
          fields: { plant: { attribute: 'data-plant' }, name: {} },
        },
      ];
      expect((await harness.run('page.extract', { entries })).records).toEqual({
        beds: [
          { plant: 'bean', name: 'Beans' },
          { plant: 'pea', name: 'Peas' },
        ],
      });
    });

    test('locates, reads and waits for elements', async () => {
      const harness = await open();
      const info = await harness.run('locator.element_info', { locator: { selector: '#end' } });
      expect(info).toMatchObject({
        tag_name: 'p',
        initial_visibility: 'off_screen',
        visibility: 'visible',
        clickable: true,
      });
      expect(await harness.run('locator.text_content', { locator: { selector: '#tools' } })).toMatchObject({
        text: 'Spade',
      });
      expect(await harness.run('locator.value', { locator: { selector: '#name' } })).toMatchObject({
        value: 'Ada',
        settable: true,
      });
      expect(await harness.run('locator.value', { locator: { selector: '#agree' } })).toMatchObject({
        checked: false,
      });
      expect(await harness.run('locator.wait_for', { locator: { selector: '#add' } })).toMatchObject({
        matched: true,
        state: 'visible',
      });
      const waiting = harness.run('locator.wait_for', {
        locator: { selector: '#late' },
        state: 'attached',
        timeout_ms: 10_000,
      });
      await harness.tab.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<i id="late"></i>'));
      expect(await waiting).toMatchObject({ matched: true });
      await expect(
        harness.run('locator.wait_for', { locator: { selector: '#never' }, timeout_ms: 60 }),
      ).rejects.toMatchObject({ code: 'handler_timeout', evidence: { reason: 'timeout' } });
      await expect(
        harness.run('locator.text_content', { locator: { selector: '#never' } }),
      ).rejects.toMatchObject({
        code: 'target_not_found',
      });
      expect(await harness.run('dom.focus', { locator: { selector: '#name' } })).toMatchObject({
        focused: true,
        active_is_target: true,
      });
    });

    test('ends a wait when its condition holds', async () => {
      const harness = await open();
      expect(await harness.run('page.wait', { for: 'stable', quiet_ms: 20 })).toMatchObject({
        matched: true,
      });
      expect(await harness.run('page.wait', { for: 'text', text: 'Spade' })).toMatchObject({ for: 'text' });
      expect(await harness.run('page.wait', { for: 'url', url_contains: 'page.test' })).toMatchObject({
        url: HOME,
      });
      expect(await harness.run('page.wait', { for: 'locator', locator: { selector: '#add' } })).toMatchObject(
        {
          matched: true,
        },
      );
      const going = harness.run('page.wait', { for: 'text_gone', text: 'Spade' });
      await harness.tab.evaluate(() => document.querySelector('#tools')?.remove());
      await going;
      await harness.run('page.wait', { for: 'locator_gone', locator: { selector: '#tools' } });
      await expect(harness.run('page.wait', { for: 'text' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    test('observes the page within the requested size', async () => {
      const harness = await open();
      const { matches, match_count } = await harness.run('dom.observe.visible', {
        selector: 'button',
        text_contains: 'Add',
      });
      expect(match_count).toBe(1);
      expect(matches[0]).toMatchObject({
        tag_name: 'button',
        text: 'Add',
        clickable: true,
        receives_events: true,
      });
      expect(await harness.run('dom.observe.visible', { selector: '#end' })).toEqual({
        matches: [],
        match_count: 0,
      });
      const narrow = await harness.run('dom.observe.visible', { max_payload_bytes: 1_000 });
      expect(narrow).toMatchObject({
        matches: [],
        error: { code: 'payload_too_large', max_payload_bytes: 1_000 },
      });
      expect(
        await harness.run('dom.observe.attributes', {
          selector: '.bed',
          attributes: ['data-plant', 'text', 'onclick'],
        }),
      ).toEqual({
        matches: [
          {
            tag_name: 'li',
            attributes: { 'data-plant': 'bean', text: 'Beans', onclick: null },
            visible: true,
          },
          { tag_name: 'li', attributes: { 'data-plant': 'pea', text: 'Peas', onclick: null }, visible: true },
        ],
        match_count: 2,
        visible_count: 2,
      });
      expect(await harness.run('dom.snapshot_text', { selector: 'h1', max_chars: 3 })).toEqual({
        text: 'Gar',
        truncated: true,
      });
      const { sections, section_count } = await harness.run('dom.list_sections', { item_selector: '.bed' });
      expect(section_count).toBe(2);
      expect(sections.map(({ heading, item_count }) => [heading, item_count])).toEqual([
        ['Beds', 2],
        ['Tools', 0],
      ]);
      await expect(
        harness.run('dom.observe.visible', { selector: 'input[value^="A"]' }),
      ).rejects.toMatchObject({
        code: 'invalid_input',
        evidence: { reason: 'selector_refused' },
      });
    });

    test('points and presses at coordinates', async () => {
      const harness = await open();
      const add = await pointOn(harness, '#add');
      expect(await harness.run('pointer.click', { ...add })).toMatchObject({
        clicked: true,
        fidelity,
        target: { id: 'add', tag_name: 'button', text: 'Add' },
      });
      expect(await textOf(harness, '#count')).toBe('1');
      expect(await harness.run('pointer.double_click', { ...add })).toMatchObject({
        double_clicked: true,
        fidelity,
      });
      expect(await harness.tab.locator('#count').getAttribute('data-double')).toBe('yes');
      await harness.run('pointer.move', await pointOn(harness, '#hover'));
      expect(await harness.tab.locator('#hover').getAttribute('data-over')).toBe('yes');
      expect(
        await harness.run('pointer.drag', {
          from: { selector: '#seed' },
          to: { locator: { selector: '#soil' } },
          steps: 4,
        }),
      ).toMatchObject({ dragged: true, steps: 4, diagnostics: { source: { id: 'seed' } } });
      await expect.poll(() => textOf(harness, '#soil')).toBe('Planted');
      for (const name of ['pointer.click', 'pointer.move'] as const) {
        await expect(harness.run(name, { x: 5_000, y: 10 })).rejects.toMatchObject({
          code: 'invalid_input',
          evidence: { reason: 'point_out_of_viewport' },
        });
      }
    });

    test('inserts text into every kind of field', async () => {
      const harness = await open();
      const insert = (selector: string, text: string, mode?: 'append') =>
        harness.run('text.insert', { text, target: { selector }, ...(mode && { mode }) });
      expect(await insert('#name', 'Grace')).toEqual({
        inserted: true,
        inserted_length: 5,
        input_method: 'native-value-setter+input',
      });
      expect(await insert('#name', ' H', 'append')).toMatchObject({
        inserted: true,
        input_method: 'keyboard',
      });
      expect(await insert('#size', 'Large')).toMatchObject({ inserted: true, input_method: 'option' });
      expect(await insert('#agree', 'true')).toMatchObject({ inserted: true, input_method: 'check' });
      expect(await insert('#editor', 'new text')).toMatchObject({ inserted: true, input_method: 'editor' });
      const state = await harness.tab.evaluate(() => ({
        name: document.querySelector<HTMLInputElement>('#name')?.value,
        size: document.querySelector<HTMLSelectElement>('#size')?.value,
        agree: document.querySelector<HTMLInputElement>('#agree')?.checked,
        editor: document.querySelector('#editor')?.textContent,
      }));
      expect(state).toEqual({ name: 'Grace H', size: 'l', agree: true, editor: 'new text' });
      await expect(insert('#agree', 'perhaps')).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(insert('h1', 'x')).rejects.toMatchObject({ evidence: { reason: 'not_editable' } });
    });

    test('sends keys and text to the focused element', async () => {
      const harness = await open();
      await harness.tab.evaluate(() => document.body.focus());
      await expect(harness.run('text.insert', { text: 'x' })).rejects.toMatchObject({
        evidence: { reason: 'no_focus' },
      });
      await harness.run('dom.focus', { locator: { selector: '#notes' } });
      expect(await harness.run('text.type', { text: 'bean' })).toEqual({
        typed: true,
        typed_length: 4,
        fidelity,
      });
      await harness.run('text.type', { text: 's', select_back_chars: 1 });
      expect(await harness.tab.locator('#notes').inputValue()).toBe('beas');
      expect(await harness.run('keyboard.press', { key: 'Backspace', repeat: 2 })).toMatchObject({
        pressed: true,
        fidelity,
        repeat: 2,
      });
      const none = await harness.run('keyboard.press', { key: 'Backspace', repeat: 0 });
      expect(none).toMatchObject({ pressed: true, fidelity, repeat: 0 });
      expect(await harness.tab.locator('#notes').inputValue()).toBe('be');
      expect(await harness.run('text.select', {})).toEqual({ selected: true, selected_length: 2 });
      await harness.run('text.type', { text: 'peas', mode: 'replace' });
      expect(await harness.tab.locator('#notes').inputValue()).toBe('peas');
      await harness.run('dom.focus', { locator: { selector: '#name' } });
      await harness.run('keyboard.press', { key: 'Enter' });
      expect(await textOf(harness, '#sent')).toBe('Sent');
      expect(await harness.run('keyboard.press', { key: 'End', trusted: false })).toMatchObject({
        fidelity: 'synthetic',
      });
    });

    test('[MAN-243] writes, reads, copies and pastes the clipboard', async () => {
      const harness = await open();
      expect(await harness.run('clipboard.write', { text: 'marrow' })).toEqual({ written: true, length: 6 });
      expect(await harness.run('clipboard.read', {})).toEqual({ text: 'marrow' });
      expect(await harness.run('clipboard.paste', { target: { selector: '#notes' } })).toEqual({
        pasted: true,
        length: 6,
        taken_by: 'field',
        default_prevented: false,
        html_provided: false,
        inserted_length: 6,
      });
      expect(await harness.tab.locator('#notes').inputValue()).toBe('marrow');
      await harness.run('text.select', { target: { selector: '#name' } });
      expect(await harness.run('clipboard.copy', {})).toEqual({ copied: true, length: 3, text: 'Ada' });
      await harness.tab.evaluate(() => {
        document.querySelector('#editor')?.addEventListener('paste', (event) => event.preventDefault());
      });
      expect(
        await harness.run('clipboard.paste', { html: '<b>x</b>', target: { selector: '#editor' } }),
      ).toMatchObject({ taken_by: 'page', default_prevented: true, html_provided: true });
    });

    test('scrolls pages and boxes', async () => {
      const harness = await open();
      expect(await harness.run('viewport.scroll', { delta_y: 120 })).toMatchObject({
        moved: true,
        target: 'viewport',
        after: { scroll_y: 120 },
      });
      expect(
        await harness.run('viewport.scroll', {
          delta_y: 50,
          scope: { selector: '.row' },
          item_selector: '.row',
        }),
      ).toMatchObject({
        moved: true,
        target: 'element',
        after: { scroll_y: 50 },
        diagnostics: { item_count: 2 },
      });
      expect(await harness.run('viewport.scroll', { delta_y: -9_999 })).toMatchObject({
        after: { scroll_y: 0 },
        diagnostics: { at_start: true },
      });
    });

    test('fetches from the page’s own origin only', async () => {
      const harness = await open();
      expect(await harness.run('page.fetch', { url: '/data.json' })).toMatchObject({
        ok: true,
        status: 200,
        body: '{"beds":2}',
      });
      await expect(harness.run('page.fetch', { url: 'https://elsewhere.test/' })).rejects.toMatchObject({
        code: 'permission_denied',
        evidence: { reason: 'page_fetch_cross_origin' },
      });
    });

    test("shows an overlay without scripts and out of the page's reach", async () => {
      const harness = await open();
      const html = '<p>Shown</p><script>parent.document.title = "taken"</script>';
      const { overlay_id } = await harness.run('overlay.open', { html, title: 'Notes', width: 500 });
      await expect.poll(() => harness.tab.frames().length).toBe(2);
      const seen = await harness.tab.evaluate(() => ({
        title: document.title,
        root: document.querySelector('[data-drawbridge=overlay]')?.shadowRoot,
        frames: document.querySelectorAll('iframe').length,
      }));
      expect(seen).toEqual({ title: 'Garden', root: null, frames: 0 });
      const boxes = () =>
        harness.tab.evaluate(() => {
          const shown = document.elementFromPoint(innerWidth - 40, 200);
          return shown?.getAttribute('data-drawbridge') ?? 'page';
        });
      expect(await boxes()).toBe('overlay');
      expect(await harness.run('overlay.menu.hide', {})).toEqual({ overlays: 1 });
      expect(await boxes()).toBe('page');
      await harness.run('overlay.menu.show', {});
      await harness.run('overlay.menu.collapse', {});
      expect(await boxes()).toBe('page');
      await harness.run('overlay.menu.expand', {});
      expect(await boxes()).toBe('overlay');
      await harness.run('overlay.menu.move', { x: 0, y: 0 });
      expect(await boxes()).toBe('page');
      expect(await harness.run('overlay.close', { overlay_id })).toEqual({ closed: 1 });
      expect(await harness.run('overlay.close', {})).toEqual({ closed: 0 });
    });

    test('finds elements by role and accessible name', async () => {
      const harness = await open(`
        <h1>Beds</h1><ul><li><button aria-label="Water the beans">W</button></li></ul>
        <button style="margin-top:3000px" disabled>Far</button><button hidden>Gone</button>
        <div style="position:relative"><button>Below</button><p style="position:absolute;inset:0;margin:0">Above</p></div>`);
      const water = await harness.run('a11y.query', { role: 'button', name_contains: 'water' });
      expect(water).toMatchObject({
        found: true,
        match_count: 1,
        role: 'button',
        name: 'Water the beans',
        clickable: true,
        actionability_attested: true,
      });
      expect(water.clickable_center).toEqual(await pointOn(harness, 'button'));
      expect(await harness.run('a11y.query', { role: 'button', name: 'Gone' })).toEqual({
        found: false,
        match_count: 0,
        matches: [],
      });
      expect(await harness.run('a11y.query', { name: 'Far' })).toMatchObject({
        found: true,
        clickable: false,
      });
      const below = await harness.run('a11y.query', { name: 'Below' });
      expect(below).toMatchObject({ receives_events: false, actionability_attested: false });
      expect(below.clickable_center).toBeUndefined();
      await expect(harness.run('a11y.query', {})).rejects.toMatchObject({ code: 'invalid_input' });
      const { nodes, truncated } = await harness.run('a11y.tree', { selector: 'ul' });
      expect(nodes).toEqual([
        { role: 'list', name: '', depth: 0 },
        { role: 'listitem', name: '', depth: 1 },
        { role: 'button', name: 'Water the beans', depth: 2 },
      ]);
      expect(truncated).toBe(false);
      expect(await harness.run('a11y.tree', { max_nodes: 1 })).toMatchObject({
        nodes: [{ role: 'document', depth: 0 }],
        truncated: true,
      });
    });

    test('[MAN-246] reads what maps verify by: a field by its role, and a box without text by its label', async () => {
      const harness = await open(`
        <input aria-label=Title value=Steps><input type=password aria-label=Code value=opal88212>
        <input type=checkbox aria-label="Open shed">`);
      expect(await harness.run('a11y.query', { role: 'textbox', name: 'Title' })).toMatchObject({
        found: true,
        value: 'Steps',
      });
      expect(await harness.run('a11y.query', { name: 'Code' })).not.toHaveProperty('value');
      const selector = '[type=checkbox]';
      expect(await harness.run('dom.observe.visible', { selector })).toMatchObject({
        matches: [{ text: 'Open shed' }],
      });
      const read = await harness.run('locator.text_content', { locator: { selector } });
      expect(read.text).toBe('Open shed');
    });

    test('acts on elements by id and reports the effect', async () => {
      const harness = await open();
      const add = await harness.run('element.click', {
        id: await idOf(harness, 'Add'),
        expected: { type: 'any_change' },
      });
      expect(add).toMatchObject({
        action: 'click',
        fidelity,
        verification_passed: true,
        effect: { happened: true },
      });
      expect(await textOf(harness, '#count')).toBe('1');
      expect(await harness.run('element.double_click', { id: await idOf(harness, 'Add') })).toMatchObject({
        action: 'double_click',
        fidelity,
      });
      expect(await harness.tab.locator('#count').getAttribute('data-double')).toBe('yes');
      expect(await harness.run('element.hover', { id: await idOf(harness, 'Menu') })).toMatchObject({
        action: 'hover',
        fidelity,
      });
      expect(await harness.tab.locator('#menu').isVisible()).toBe(fidelity === 'trusted');
      expect(
        await harness.run('element.fill', { id: await idOf(harness, 'Name'), text: 'Grace' }),
      ).toMatchObject({
        reads: 'Grace',
      });
      expect(await harness.run('element.type', { id: await idOf(harness, 'Name'), text: '!' })).toMatchObject(
        {
          reads: 'Grace!',
        },
      );
      expect(
        await harness.run('element.select', { id: await idOf(harness, 'Size'), choice: { label: 'Large' } }),
      ).toMatchObject({ reads: 'Large' });
      const agree = await idOf(harness, 'Agree');
      expect(await harness.run('element.check', { id: agree })).toMatchObject({ verification_passed: true });
      expect(await harness.run('element.uncheck', { id: agree })).toMatchObject({
        action: 'uncheck',
        verification_passed: true,
      });
      await harness.run('element.focus', { id: await idOf(harness, 'Notes') });
      await harness.run('element.keys', { keys: ['o', 'k'] });
      expect(await harness.tab.locator('#notes').inputValue()).toBe('ok');
      const files = [{ name: 'plan.txt', type: 'text/plain', base64: 'aGk=' }];
      await harness.run('element.upload', { id: await idOf(harness, 'File'), files });
      expect(await harness.tab.locator('#count').getAttribute('data-file')).toBe('plan.txt');
      await harness.run('element.drag', {
        id: await idOf(harness, 'Seed'),
        to_id: await idOf(harness, 'Soil'),
      });
      await expect.poll(() => textOf(harness, '#soil')).toBe('Planted');
      await harness.run('element.scroll_to', { id: await idOf(harness, 'Next page') });
      await harness.run('element.wheel', { id: await idOf(harness, 'Add'), by: [0, 10] });
      await harness.run('element.select_text', { id: await idOf(harness, 'Name') });
    });

    test('[BRG-124] resolves an id to the element that page code knows, whatever the page stamps', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Add');
      await harness.tab.evaluate((stamp) => {
        document.querySelector('#add')?.removeAttribute('data-llm-id');
        for (const other of document.querySelectorAll('button, li, h1')) {
          if (other.id !== 'add') other.setAttribute('data-llm-id', stamp);
        }
      }, id);
      await harness.run('element.click', { id });
      expect(await textOf(harness, '#count')).toBe('1');
      await harness.tab.evaluate(
        (stamp) => document.querySelector('h1')?.setAttribute('data-llm-id', stamp),
        id,
      );
      expect(await harness.run('locator.text_content', { locator: { selector: '#add' } })).toMatchObject({
        text: 'Add',
      });
    });

    test('[BRG-126] returns no text typed into a secret field from any primitive', async () => {
      const secret = 'hunter2-canary';
      const harness = await open();
      await harness.run('text.insert', { text: secret, target: { selector: '#password' } });
      await harness.tab.evaluate((typed) => {
        document.querySelector('#sent')?.append(`You typed ${typed}`);
        document.querySelector('#tools')?.setAttribute('data-echo', typed);
        document.querySelector('#tools')?.setAttribute('aria-label', typed);
        document.querySelector('#tools')?.append(typed);
        document.title = typed;
      }, secret);
      const everything = async () => [
        await harness.run('page.info', {}),
        await harness.run('page.snapshot', { scope: 'page', context: true, form: 'lines' }),
        await harness.run('page.snapshot', { mode: 'full' }),
        await harness.run('page.read', {}),
        await harness.run('locator.text_content', { locator: { selector: '#tools' } }),
        await harness.run('locator.element_info', { locator: { selector: '#tools' } }),
        await harness.run('dom.observe.visible', {}),
        await harness.run('dom.observe.visible', { selector: '#sent' }),
        await harness.run('dom.observe.attributes', {
          selector: '#tools, #password',
          attributes: ['data-echo', 'text', 'value', 'aria-label'],
        }),
        await harness.run('dom.snapshot_text', {}),
        await harness.run('dom.list_sections', {}),
        await harness.run('page.extract', { entries: [{ id: 'a', selector: '#tools' }] }),
        await harness.run('pointer.click', await pointOn(harness, '#sent')),
      ];
      expect(await harness.run('locator.value', { locator: { selector: '#password' } })).toMatchObject({
        value: null,
        filled: true,
      });
      await harness.run('text.select', { target: { selector: '#password' } });
      await expect(harness.run('clipboard.copy', {})).rejects.toMatchObject({ code: 'permission_denied' });
      expect(JSON.stringify(await everything())).not.toContain(secret);
      await harness.tab.evaluate(() => document.querySelector('#form')?.remove());
      expect(JSON.stringify(await everything())).not.toContain(secret);
    });

    test('[BRG-77] refuses invalid arguments with their path before anything happens', async () => {
      const harness = await open();
      const { x, y } = await pointOn(harness, '#add');
      for (const [name, args, path] of [
        ['pointer.click', { x, y: String(y) }, 'y'],
        ['pointer.click', { x, y, force: true }, 'force'],
        ['pointer.click', { x, y, modifiers: ['Hyper'] }, 'modifiers[0]'],
        ['element.click', {}, 'id'],
        ...(bridged ? [] : [['page.info', null, ''] as const]),
      ] as const) {
        await expect(harness.runAny(name, args)).rejects.toMatchObject({
          code: 'invalid_input',
          evidence: { path },
        });
      }
      expect(await textOf(harness, '#count')).toBe('0');
    });

    test('[BRG-76] answers unknown_action for a name that is not a primitive', async () => {
      const harness = await open();
      for (const name of ['constructor', '__proto__', 'browser.run_javascript', 'keyboard.press_gated']) {
        await expect(harness.runAny(name, {})).rejects.toMatchObject({ code: 'unknown_action' });
      }
    });

    const testDirect = bridged ? () => {} : test;
    testDirect('[BRG-69] what was granted for another origin does not run', async () => {
      const harness = await open();
      const add = await pointOn(harness, '#add');
      await expect(harness.run('pointer.click', add, 'https://elsewhere.test')).rejects.toMatchObject({
        code: 'state_mismatch',
      });
      expect(await textOf(harness, '#count')).toBe('0');
      await harness.run('pointer.click', add, 'https://page.test');
      expect(await textOf(harness, '#count')).toBe('1');
    });

    test('stores, inserts and forgets transfers', async () => {
      const harness = await open();
      expect(await harness.run('transfer.write', { label: 'seed', value: 'bean' })).toEqual({
        written: true,
        label: 'seed',
        length: 4,
      });
      await harness.run('transfer.write', { label: 'seed', value: 'pea', mode: 'append' });
      expect(await harness.run('transfer.read', { label: 'seed' })).toMatchObject({
        value: 'bean\npea',
        format: 'text/plain',
      });
      expect(
        await harness.run('transfer.insert', { label: 'seed', target: { selector: '#notes' } }),
      ).toMatchObject({ inserted: true });
      expect(await harness.tab.locator('#notes').inputValue()).toBe('bean\npea');
      expect(await harness.run('transfer.clear', {})).toEqual({ cleared: 1 });
      await expect(harness.run('transfer.read', { label: 'seed' })).rejects.toMatchObject({
        code: 'target_not_found',
      });
      if (host === 'cdp' || host === 'extension') return;
      expect(await harness.run('storage.read_file', { path: 'notes.md', max_bytes: 3 })).toEqual({
        path: 'notes.md',
        content: 'Gr',
        bytes: 7,
        truncated: true,
      });
      await expect(harness.run('storage.read_file', {})).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('ran every primitive of this host in this file', () => {
      const elsewhere = (name: string) =>
        name.startsWith('browser.') ||
        name.startsWith('inspect.') ||
        (['cdp', 'extension'].includes(host) && name === 'storage.read_file') ||
        lacks.some((lacked) => lacked === name);
      const names = primitivesFor(host).map(({ name }) => name);
      expect(names.filter((name) => !ran.has(name) && !elsewhere(name))).toEqual([]);
    });
  });
}
