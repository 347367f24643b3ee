import { type HostKind, type PrimitiveName, primitivesFor } from '@drawbridge/protocol/primitives';
import { describe, expect, test } from 'vitest';
import { HOME, idOf, pointOn, type Tab, type World } from './world.suite.ts';

/** A host under test. */
export interface ConformingHost {
  readonly host: HostKind;
  /** Fidelity of its presses and keys. */
  readonly fidelity: 'synthetic' | 'trusted';
  /** Opens a new document with this content. */
  readonly show: (html?: string) => Promise<Tab>;
  readonly start: (tab: Tab) => Promise<World>;
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
    async function open(html?: string): Promise<World> {
      const world = await start(await show(html));
      return {
        ...world,
        run(name, args, origin) {
          ran.add(name);
          return world.run(name, args, origin);
        },
      };
    }
    const textOf = ({ tab }: World, selector: string) => tab.locator(selector).textContent();

    test('looks at pages', async () => {
      const world = await open();
      expect(await world.run('page.info', {})).toEqual({ url: HOME, title: 'Garden' });
      const { snapshot_id = '', page, text } = await world.run('page.snapshot', { form: 'lines' });
      expect(page?.interactive_tree.map(({ n }) => n)).toContain('Add');
      expect(text).toContain('Add');
      await world.tab.locator('#add').evaluate((add) => {
        add.textContent = 'More';
      });
      expect(await world.run('page.snapshot', { mode: 'delta', since: snapshot_id })).toMatchObject({
        unchanged: false,
      });
      expect((await world.run('page.snapshot', { mode: 'skeleton' })).html).toContain('<button');
      expect((await world.run('page.snapshot', { mode: 'full' })).html).toContain('Beans');
      await expect(world.run('page.snapshot', { mode: 'delta' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect((await world.run('page.read', {})).text).toContain('Spade');
      expect((await world.run('page.read', { max_tokens: 5 })).next).toBeGreaterThan(0);
    });

    test('extracts records', async () => {
      const world = await open();
      const entries = [
        {
          id: 'beds',
          selector: '.bed',
          many: true,
          fields: { plant: { attribute: 'data-plant' }, name: {} },
        },
      ];
      expect((await world.run('page.extract', { entries })).records).toEqual({
        beds: [
          { plant: 'bean', name: 'Beans' },
          { plant: 'pea', name: 'Peas' },
        ],
      });
    });

    test('locates, reads and waits for elements', async () => {
      const world = await open();
      const info = await world.run('locator.element_info', { locator: { selector: '#end' } });
      expect(info).toMatchObject({
        tag_name: 'p',
        initial_visibility: 'off_screen',
        visibility: 'visible',
        clickable: true,
      });
      expect(await world.run('locator.text_content', { locator: { selector: '#tools' } })).toMatchObject({
        text: 'Spade',
      });
      expect(await world.run('locator.value', { locator: { selector: '#name' } })).toMatchObject({
        value: 'Ada',
        settable: true,
      });
      expect(await world.run('locator.value', { locator: { selector: '#agree' } })).toMatchObject({
        checked: false,
      });
      expect(await world.run('locator.wait_for', { locator: { selector: '#add' } })).toMatchObject({
        matched: true,
        state: 'visible',
      });
      const waiting = world.run('locator.wait_for', {
        locator: { selector: '#late' },
        state: 'attached',
        timeout_ms: 10_000,
      });
      await world.tab.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<i id="late"></i>'));
      expect(await waiting).toMatchObject({ matched: true });
      await expect(
        world.run('locator.wait_for', { locator: { selector: '#never' }, timeout_ms: 60 }),
      ).rejects.toMatchObject({ code: 'handler_timeout', evidence: { reason: 'timeout' } });
      await expect(
        world.run('locator.text_content', { locator: { selector: '#never' } }),
      ).rejects.toMatchObject({
        code: 'target_not_found',
      });
      expect(await world.run('dom.focus', { locator: { selector: '#name' } })).toMatchObject({
        focused: true,
        active_is_target: true,
      });
    });

    test('ends a wait when its condition holds', async () => {
      const world = await open();
      expect(await world.run('page.wait', { for: 'stable', quiet_ms: 20 })).toMatchObject({ matched: true });
      expect(await world.run('page.wait', { for: 'text', text: 'Spade' })).toMatchObject({ for: 'text' });
      expect(await world.run('page.wait', { for: 'url', url_contains: 'page.test' })).toMatchObject({
        url: HOME,
      });
      expect(await world.run('page.wait', { for: 'locator', locator: { selector: '#add' } })).toMatchObject({
        matched: true,
      });
      const going = world.run('page.wait', { for: 'text_gone', text: 'Spade' });
      await world.tab.evaluate(() => document.querySelector('#tools')?.remove());
      await going;
      await world.run('page.wait', { for: 'locator_gone', locator: { selector: '#tools' } });
      await expect(world.run('page.wait', { for: 'text' })).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('observes the page within the requested size', async () => {
      const world = await open();
      const { matches, match_count } = await world.run('dom.observe.visible', {
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
      expect(await world.run('dom.observe.visible', { selector: '#end' })).toEqual({
        matches: [],
        match_count: 0,
      });
      const narrow = await world.run('dom.observe.visible', { max_payload_bytes: 1_000 });
      expect(narrow).toMatchObject({
        matches: [],
        error: { code: 'payload_too_large', max_payload_bytes: 1_000 },
      });
      expect(
        await world.run('dom.observe.attributes', {
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
      expect(await world.run('dom.snapshot_text', { selector: 'h1', max_chars: 3 })).toEqual({
        text: 'Gar',
        truncated: true,
      });
      const { sections, section_count } = await world.run('dom.list_sections', { item_selector: '.bed' });
      expect(section_count).toBe(2);
      expect(sections.map(({ heading, item_count }) => [heading, item_count])).toEqual([
        ['Beds', 2],
        ['Tools', 0],
      ]);
      await expect(world.run('dom.observe.visible', { selector: 'input[value^="A"]' })).rejects.toMatchObject(
        {
          code: 'invalid_input',
          evidence: { reason: 'selector_refused' },
        },
      );
    });

    test('points and presses at coordinates', async () => {
      const world = await open();
      const add = await pointOn(world, '#add');
      expect(await world.run('pointer.click', { ...add })).toMatchObject({
        clicked: true,
        fidelity,
        target: { id: 'add', tag_name: 'button', text: 'Add' },
      });
      expect(await textOf(world, '#count')).toBe('1');
      expect(await world.run('pointer.double_click', { ...add })).toMatchObject({
        double_clicked: true,
        fidelity,
      });
      expect(await world.tab.locator('#count').getAttribute('data-double')).toBe('yes');
      await world.run('pointer.move', await pointOn(world, '#hover'));
      expect(await world.tab.locator('#hover').getAttribute('data-over')).toBe('yes');
      expect(
        await world.run('pointer.drag', {
          from: { selector: '#seed' },
          to: { locator: { selector: '#soil' } },
          steps: 4,
        }),
      ).toMatchObject({ dragged: true, steps: 4, diagnostics: { source: { id: 'seed' } } });
      expect(await textOf(world, '#soil')).toBe('Planted');
      for (const name of ['pointer.click', 'pointer.move'] as const) {
        await expect(world.run(name, { x: 5_000, y: 10 })).rejects.toMatchObject({
          code: 'invalid_input',
          evidence: { reason: 'point_out_of_viewport' },
        });
      }
    });

    test('inserts text into every kind of field', async () => {
      const world = await open();
      const insert = (selector: string, text: string, mode?: 'append') =>
        world.run('text.insert', { text, target: { selector }, ...(mode && { mode }) });
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
      const state = await world.tab.evaluate(() => ({
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
      const world = await open();
      await world.tab.evaluate(() => document.body.focus());
      await expect(world.run('text.insert', { text: 'x' })).rejects.toMatchObject({
        evidence: { reason: 'no_focus' },
      });
      await world.run('dom.focus', { locator: { selector: '#notes' } });
      expect(await world.run('text.type', { text: 'bean' })).toEqual({
        typed: true,
        typed_length: 4,
        fidelity,
      });
      await world.run('text.type', { text: 's', select_back_chars: 1 });
      expect(await world.tab.locator('#notes').inputValue()).toBe('beas');
      expect(await world.run('keyboard.press', { key: 'Backspace', repeat: 2 })).toMatchObject({
        pressed: true,
        fidelity,
        repeat: 2,
      });
      expect(await world.tab.locator('#notes').inputValue()).toBe('be');
      expect(await world.run('text.select', {})).toEqual({ selected: true, selected_length: 2 });
      await world.run('text.type', { text: 'peas', mode: 'replace' });
      expect(await world.tab.locator('#notes').inputValue()).toBe('peas');
      await world.run('dom.focus', { locator: { selector: '#name' } });
      await world.run('keyboard.press', { key: 'Enter' });
      expect(await textOf(world, '#sent')).toBe('Sent');
      expect(await world.run('keyboard.press', { key: 'End', trusted: false })).toMatchObject({
        fidelity: 'synthetic',
      });
    });

    test('writes, reads, copies and pastes the clipboard', async () => {
      const world = await open();
      expect(await world.run('clipboard.write', { text: 'marrow' })).toEqual({ written: true, length: 6 });
      expect(await world.run('clipboard.read', {})).toEqual({ text: 'marrow' });
      expect(await world.run('clipboard.paste', { target: { selector: '#notes' } })).toEqual({
        pasted: true,
        length: 6,
        taken_by: 'field',
      });
      expect(await world.tab.locator('#notes').inputValue()).toBe('marrow');
      await world.run('text.select', { target: { selector: '#name' } });
      expect(await world.run('clipboard.copy', {})).toEqual({ copied: true, length: 3, text: 'Ada' });
      await world.tab.evaluate(() => {
        document.querySelector('#editor')?.addEventListener('paste', (event) => event.preventDefault());
      });
      expect(
        await world.run('clipboard.paste', { html: '<b>x</b>', target: { selector: '#editor' } }),
      ).toMatchObject({ taken_by: 'page' });
    });

    test('scrolls pages and boxes', async () => {
      const world = await open();
      expect(await world.run('viewport.scroll', { delta_y: 120 })).toMatchObject({
        moved: true,
        target: 'viewport',
        after: { scroll_y: 120 },
      });
      expect(
        await world.run('viewport.scroll', {
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
      expect(await world.run('viewport.scroll', { delta_y: -9_999 })).toMatchObject({
        after: { scroll_y: 0 },
        diagnostics: { at_start: true },
      });
    });

    test('fetches from the page’s own origin only', async () => {
      const world = await open();
      expect(await world.run('page.fetch', { url: '/data.json' })).toMatchObject({
        ok: true,
        status: 200,
        body: '{"beds":2}',
      });
      await expect(world.run('page.fetch', { url: 'https://elsewhere.test/' })).rejects.toMatchObject({
        code: 'permission_denied',
        evidence: { reason: 'page_fetch_cross_origin' },
      });
    });

    test("shows an overlay without scripts and out of the page's reach", async () => {
      const world = await open();
      const html = '<p>Shown</p><script>parent.document.title = "taken"</script>';
      const { overlay_id } = await world.run('overlay.open', { html, title: 'Notes', width: 500 });
      await expect.poll(() => world.tab.frames().length).toBe(2);
      const seen = await world.tab.evaluate(() => ({
        title: document.title,
        root: document.querySelector('[data-drawbridge=overlay]')?.shadowRoot,
        frames: document.querySelectorAll('iframe').length,
      }));
      expect(seen).toEqual({ title: 'Garden', root: null, frames: 0 });
      expect(await world.run('overlay.close', { overlay_id })).toEqual({ closed: 1 });
      expect(await world.run('overlay.close', {})).toEqual({ closed: 0 });
    });

    test('acts on elements by id and reports the effect', async () => {
      const world = await open();
      const add = await world.run('element.click', {
        id: await idOf(world, 'Add'),
        expected: { type: 'any_change' },
      });
      expect(add).toMatchObject({
        action: 'click',
        fidelity,
        verification_passed: true,
        effect: { happened: true },
      });
      expect(await textOf(world, '#count')).toBe('1');
      expect(await world.run('element.double_click', { id: await idOf(world, 'Add') })).toMatchObject({
        action: 'double_click',
        fidelity,
      });
      expect(await world.tab.locator('#count').getAttribute('data-double')).toBe('yes');
      expect(await world.run('element.hover', { id: await idOf(world, 'Menu') })).toMatchObject({
        action: 'hover',
        fidelity,
      });
      expect(await world.tab.locator('#menu').isVisible()).toBe(fidelity === 'trusted');
      expect(await world.run('element.fill', { id: await idOf(world, 'Name'), text: 'Grace' })).toMatchObject(
        {
          reads: 'Grace',
        },
      );
      expect(await world.run('element.type', { id: await idOf(world, 'Name'), text: '!' })).toMatchObject({
        reads: 'Grace!',
      });
      expect(
        await world.run('element.select', { id: await idOf(world, 'Size'), choice: { label: 'Large' } }),
      ).toMatchObject({ reads: 'Large' });
      const agree = await idOf(world, 'Agree');
      expect(await world.run('element.check', { id: agree })).toMatchObject({ verification_passed: true });
      expect(await world.run('element.uncheck', { id: agree })).toMatchObject({
        action: 'uncheck',
        verification_passed: true,
      });
      await world.run('element.focus', { id: await idOf(world, 'Notes') });
      await world.run('element.keys', { keys: ['o', 'k'] });
      expect(await world.tab.locator('#notes').inputValue()).toBe('ok');
      const files = [{ name: 'plan.txt', type: 'text/plain', base64: 'aGk=' }];
      await world.run('element.upload', { id: await idOf(world, 'File'), files });
      expect(await world.tab.locator('#count').getAttribute('data-file')).toBe('plan.txt');
      await world.run('element.drag', { id: await idOf(world, 'Seed'), to_id: await idOf(world, 'Soil') });
      expect(await textOf(world, '#soil')).toBe('Planted');
      await world.run('element.scroll_to', { id: await idOf(world, 'Next page') });
    });

    test('[BRG-124] resolves an id to the element that page code knows, whatever the page stamps', async () => {
      const world = await open();
      const id = await idOf(world, 'Add');
      await world.tab.evaluate((stamp) => {
        document.querySelector('#add')?.removeAttribute('data-llm-id');
        for (const other of document.querySelectorAll('button, li, h1')) {
          if (other.id !== 'add') other.setAttribute('data-llm-id', stamp);
        }
      }, id);
      await world.run('element.click', { id });
      expect(await textOf(world, '#count')).toBe('1');
      await world.tab.evaluate(
        (stamp) => document.querySelector('h1')?.setAttribute('data-llm-id', stamp),
        id,
      );
      expect(await world.run('locator.text_content', { locator: { selector: '#add' } })).toMatchObject({
        text: 'Add',
      });
    });

    test('[BRG-126] returns no text typed into a secret field from any primitive', async () => {
      const secret = 'hunter2-canary';
      const world = await open();
      await world.run('text.insert', { text: secret, target: { selector: '#password' } });
      await world.tab.evaluate((typed) => {
        document.querySelector('#sent')?.append(`You typed ${typed}`);
        document.querySelector('#tools')?.setAttribute('data-echo', typed);
        document.querySelector('#tools')?.setAttribute('aria-label', typed);
        document.querySelector('#tools')?.append(typed);
        document.title = typed;
      }, secret);
      const everything = async () => [
        await world.run('page.info', {}),
        await world.run('page.snapshot', { scope: 'page', context: true, form: 'lines' }),
        await world.run('page.snapshot', { mode: 'full' }),
        await world.run('page.read', {}),
        await world.run('locator.text_content', { locator: { selector: '#tools' } }),
        await world.run('locator.element_info', { locator: { selector: '#tools' } }),
        await world.run('dom.observe.visible', {}),
        await world.run('dom.observe.visible', { selector: '#sent' }),
        await world.run('dom.observe.attributes', {
          selector: '#tools, #password',
          attributes: ['data-echo', 'text', 'value', 'aria-label'],
        }),
        await world.run('dom.snapshot_text', {}),
        await world.run('dom.list_sections', {}),
        await world.run('page.extract', { entries: [{ id: 'a', selector: '#tools' }] }),
        await world.run('pointer.click', await pointOn(world, '#sent')),
      ];
      expect(await world.run('locator.value', { locator: { selector: '#password' } })).toMatchObject({
        value: null,
        filled: true,
      });
      await world.run('text.select', { target: { selector: '#password' } });
      await expect(world.run('clipboard.copy', {})).rejects.toMatchObject({ code: 'permission_denied' });
      expect(JSON.stringify(await everything())).not.toContain(secret);
      await world.tab.evaluate(() => document.querySelector('#form')?.remove());
      expect(JSON.stringify(await everything())).not.toContain(secret);
    });

    test('[BRG-77] refuses invalid arguments with their path before anything happens', async () => {
      const world = await open();
      const { x, y } = await pointOn(world, '#add');
      for (const [name, args, path] of [
        ['pointer.click', { x, y: String(y) }, 'y'],
        ['pointer.click', { x, y, force: true }, 'force'],
        ['pointer.click', { x, y, modifiers: ['Hyper'] }, 'modifiers[0]'],
        ['element.click', {}, 'id'],
        ...(bridged ? [] : [['page.info', null, ''] as const]),
      ] as const) {
        await expect(world.runAny(name, args)).rejects.toMatchObject({
          code: 'invalid_input',
          evidence: { path },
        });
      }
      expect(await textOf(world, '#count')).toBe('0');
    });

    test('[BRG-76] answers unknown_action for a name that is not a primitive', async () => {
      const world = await open();
      for (const name of ['constructor', '__proto__', 'browser.run_javascript', 'keyboard.press_gated']) {
        await expect(world.runAny(name, {})).rejects.toMatchObject({ code: 'unknown_action' });
      }
    });

    const testDirect = bridged ? () => {} : test;
    testDirect('[BRG-69] what was granted for another origin does not run', async () => {
      const world = await open();
      const add = await pointOn(world, '#add');
      await expect(world.run('pointer.click', add, 'https://elsewhere.test')).rejects.toMatchObject({
        code: 'state_mismatch',
      });
      expect(await textOf(world, '#count')).toBe('0');
      await world.run('pointer.click', add, 'https://page.test');
      expect(await textOf(world, '#count')).toBe('1');
    });

    test('stores, inserts and forgets transfers', async () => {
      const world = await open();
      expect(await world.run('transfer.write', { label: 'seed', value: 'bean' })).toEqual({
        written: true,
        label: 'seed',
        length: 4,
      });
      await world.run('transfer.write', { label: 'seed', value: 'pea', mode: 'append' });
      expect(await world.run('transfer.read', { label: 'seed' })).toMatchObject({
        value: 'bean\npea',
        format: 'text/plain',
      });
      expect(
        await world.run('transfer.insert', { label: 'seed', target: { selector: '#notes' } }),
      ).toMatchObject({ inserted: true });
      expect(await world.tab.locator('#notes').inputValue()).toBe('bean\npea');
      expect(await world.run('transfer.clear', {})).toEqual({ cleared: 1 });
      await expect(world.run('transfer.read', { label: 'seed' })).rejects.toMatchObject({
        code: 'target_not_found',
      });
      if (host === 'cdp' || host === 'extension') return;
      expect(await world.run('storage.read_file', { path: 'notes.md', max_bytes: 3 })).toEqual({
        path: 'notes.md',
        content: 'Gr',
        bytes: 7,
        truncated: true,
      });
      await expect(world.run('storage.read_file', {})).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('ran every primitive of this host in this file', () => {
      const elsewhere = (name: string) =>
        name.startsWith('browser.') ||
        (['cdp', 'extension'].includes(host) && name === 'storage.read_file') ||
        lacks.some((lacked) => lacked === name);
      const names = primitivesFor(host).map(({ name }) => name);
      expect(names.filter((name) => !ran.has(name) && !elsewhere(name))).toEqual([]);
    });
  });
}
