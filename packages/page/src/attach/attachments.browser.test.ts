import type { Attachment } from '@drawbridge/protocol/manifest';
import { describe, expect, test } from 'vitest';
import { type WholePage, wholePages } from '../../test/whole-page.ts';
import type { AttachmentEvent } from '../index.ts';

const { show } = wholePages();

const LAUNCHER: Attachment = {
  id: 'launcher',
  kind: 'overlay_launcher',
  target: { selector: 'h2', text_contains: 'Results', url_contains: '/' },
  lifecycle: { install: 'when_target_matches' },
  affordance: {
    label: 'Categories',
    placement: 'afterend',
    max_instances: 1,
    opens: { tool: 'overlay.open' },
  },
};

/** A page with the attachment, and a minimal host in place of the engine. */
async function attached(html: string, attachment: Attachment = LAUNCHER) {
  const page = await show(html);
  await page.call('observeAttachments', [attachment]);
  return { ...page, ...hostOf(page, attachment) };
}

function hostOf({ page, call }: WholePage, { id, kind, affordance }: Attachment) {
  const seen: AttachmentEvent[] = [];
  const { label = id, placement = 'afterend' } = affordance ?? {};
  return {
    /** Waits for a matching event of the page and returns it. */
    async told<Type extends AttachmentEvent['type']>(
      type: Type,
      holds: (event: AttachmentEvent) => boolean = () => true,
    ) {
      for (;;) {
        const index = seen.findIndex((event) => event.type === type && holds(event));
        const [event] = index < 0 ? [] : seen.splice(0, index + 1).slice(-1);
        if (event !== undefined) return event as Extract<AttachmentEvent, { type: Type }>;
        await page.evaluate(() => new Promise(requestAnimationFrame));
        seen.push(...((await call('takeNotices')) as AttachmentEvent[]));
      }
    },
    install: (anchor: string, how: object = {}) =>
      call('installAttachment', { id, anchor, kind, label, placement, ...how }),
    remove: (anchor: string) => call('removeAttachment', { id, anchor }),
    /** The number of our affordances on the page, and the element before the first. */
    ours: () =>
      page.evaluate(() => {
        const hosts = [...document.querySelectorAll('[data-drawbridge=attachment]')];
        return {
          count: hosts.length,
          after: hosts[0]?.previousElementSibling?.outerHTML.replace(/ data-llm-id="\d+"/, ''),
        };
      }),
  };
}

const anchorsOf = (event: AttachmentEvent): readonly string[] =>
  event.type === 'observed' ? event.anchors : [];

describe('an affordance on the page', () => {
  test('[MAN-205] reports its target as soon as it appears, even long after the map was loaded', async () => {
    const { told, install, ours, page } = await attached('<main></main>');
    expect(anchorsOf(await told('observed'))).toEqual([]);
    await page.evaluate(() => {
      document.querySelector('main')?.setHTMLUnsafe('<h2>Other</h2><h2>Results</h2>');
    });
    const [anchor = ''] = anchorsOf(await told('observed', (event) => anchorsOf(event).length > 0));
    await install(anchor);
    expect(await told('installed')).toEqual({ type: 'installed', id: 'launcher', anchor });
    expect(await ours()).toEqual({ count: 1, after: '<h2>Results</h2>' });
  });

  test.each([
    ['beforebegin', 'main > span + h2'],
    ['afterbegin', 'h2 > span:first-child'],
    ['beforeend', 'h2 > span:last-child'],
    ['afterend', 'h2 + span'],
  ])('[MAN-205] it stands %s of its target', async (placement, selector) => {
    const { told, install, page } = await attached('<main><h2>Results</h2></main>');
    const [anchor = ''] = anchorsOf(await told('observed'));
    await install(anchor, { placement });
    expect(await page.locator(selector).count()).toBe(1);
  });

  test('[MAN-206] reports when its target or url no longer matches, and is removed on request', async () => {
    const { told, install, remove, ours, page } = await attached('<h2>Results</h2>', {
      ...LAUNCHER,
      target: { selector: 'h2', url_contains: 'page.test/', url_matches: '/$' },
    });
    const [anchor = ''] = anchorsOf(await told('observed'));
    await install(anchor);
    await page.evaluate(() => history.pushState({}, '', '/elsewhere'));
    expect(await told('observed', (event) => anchorsOf(event).length === 0)).toMatchObject({
      url: 'https://page.test/elsewhere',
    });
    await remove(anchor);
    expect(await told('removed')).toMatchObject({ anchor });
    expect(await ours()).toEqual({ count: 0 });
  });

  test('[MAN-207] reports that the page replaced it, with the new anchor', async () => {
    const { told, install, ours, page } = await attached('<main><h2>Results</h2></main>');
    const [anchor = ''] = anchorsOf(await told('observed'));
    await install(anchor);
    await page.evaluate(() => {
      document.querySelector('main')?.setHTMLUnsafe('<h2>Results</h2>');
    });
    expect(await told('detached')).toMatchObject({ id: 'launcher', anchor });
    const [next = ''] = anchorsOf(await told('observed'));
    expect(next).not.toBe(anchor);
    await install(next);
    expect(await ours()).toMatchObject({ count: 1 });
  });

  test('[MAN-208] never exceeds max_instances or one per place', async () => {
    const two = {
      ...LAUNCHER,
      target: { selector: 'h2' },
      affordance: { ...LAUNCHER.affordance, max_instances: 2 },
    };
    const { told, install, ours } = await attached('<h2>A</h2><h2>B</h2><h2>C</h2>', two);
    const anchors = anchorsOf(await told('observed'));
    for (const anchor of [anchors[0], anchors[0], ...anchors]) await install(anchor ?? '');
    expect(await ours()).toMatchObject({ count: 2 });
  });

  test.each([
    ['an anchor that is gone', { anchor: '999' }],
    ['a placement nobody knows', { placement: 'inside-out' }],
  ])('[MAN-205] %s: it is said that nothing was put there', async (_, how) => {
    const { told, install, ours } = await attached('<h2>Results</h2>');
    const [anchor = ''] = anchorsOf(await told('observed'));
    await install(anchor, how);
    await told('install_failed');
    expect(await ours()).toEqual({ count: 0 });
  });
});

describe('a press on it', () => {
  const pressable = async (attachment?: Attachment) => {
    const host = await attached('<h2>Results</h2>', attachment);
    const [anchor = ''] = anchorsOf(await host.told('observed'));
    await host.install(anchor);
    return host;
  };

  test('[MAN-211] is reported as a person’s when it was one', async () => {
    const { told, page } = await pressable();
    await page.locator('[data-drawbridge=attachment]').click();
    expect(await told('activated')).toMatchObject({ id: 'launcher', trusted: true });
  });

  test('[MAN-211] is not reported as a person’s when a script of the page made it', async () => {
    const { call, page } = await pressable();
    await page.evaluate(() => {
      const host = document.querySelector<HTMLElement>('[data-drawbridge=attachment]');
      host?.click();
      host?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    });
    const notices = await call('takeNotices');
    expect(notices.filter((notice) => notice.type === 'activated')).toEqual([]);
  });

  test('[MAN-211] hides its button and label from the page', async () => {
    const { page } = await pressable();
    expect(await page.evaluate(() => document.querySelector('[data-drawbridge]')?.shadowRoot)).toBeNull();
    expect(await page.evaluate(() => document.body.textContent?.trim())).toBe('Results');
  });

  test.each([
    ['annotation', { label: 'Seen' }, false],
    ['status_badge', { label: '3 new' }, false],
    ['status_badge', { label: '3 new', opens: { tool: 'x.y' } }, true],
    ['shortcut', { label: 'Top' }, true],
  ])('[MAN-205] a %s %j can be pressed: %s', async (kind, affordance, expected) => {
    const { call, page } = await pressable({ ...LAUNCHER, kind, affordance });
    await page.locator('[data-drawbridge=attachment]').click();
    const pressed = (await call('takeNotices')).some((notice) => notice.type === 'activated');
    expect(pressed).toBe(expected);
  });
});
