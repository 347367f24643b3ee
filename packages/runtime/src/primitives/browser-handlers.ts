import type { Snapshot } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import type { Picture, TabInfo, Tabs } from '../host.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerContext, lacking, masked } from './handler-context.ts';

/** Schemes that an agent may navigate to. `javascript:` and `file:` would bypass every grant. */
const ADDRESSES = new Set(['http:', 'https:']);
const FIRST_QUALITY = 80;
const LEAST_QUALITY = 20;

export const BROWSER_HANDLERS: Omit<HandlersOf<'browser.'>, keyof HandlersOf<'browser.files.'>> = {
  'browser.screenshot': async (args, context) => {
    const viewport = await context.page<{ readonly width: number }>('page.viewport');
    if (args.marks === true) await showMarks(context);
    try {
      const picture = await pictureWithin(args, context);
      // Points of a picture and points of the page share this grid.
      return { ...picture, scale: Math.round((picture.width / viewport.width) * 10_000) / 10_000 };
    } finally {
      if (args.marks === true) await context.page('removeMarks').catch(() => undefined);
    }
  },
  'browser.claimed_tabs.list': async (_, context) => ({ tabs: await usableTabs(context) }),
  'browser.claimed_tabs.activate': async ({ tab_id }, context) => {
    await requireLent(tab_id, context);
    await tabsOf(context).activate(tab_id);
    return { activated: true, tab_id };
  },
  'browser.navigate': async ({ url, reload, back, tab_id }, context) => {
    const tabs = tabsOf(context);
    const asked = [url !== undefined, reload === true, back === true].filter(Boolean).length;
    if (asked !== 1) {
      const message = 'Pass one of `url`, `reload` or `back`.';
      throw new BridgeError('invalid_input', message, {
        evidence: { path: 'url', reason: 'one_of_url_reload_back' },
      });
    }
    if (tab_id !== undefined) await requireLent(tab_id, context);
    const to = url === undefined ? (reload ? { reload } : { back: true as const }) : { url: allowed(url) };
    if ('url' in to) await context.requireAddress?.(to.url);
    // The next document may repeat the address: page code records that it came from the agent.
    if ('url' in to) await context.page('secrets.supplied', to.url).catch(() => undefined);
    const surface = await tabs.navigate(to, tab_id);
    await context.requireAddress?.(surface.url);
    return { navigated: true, url: surface.url, title: surface.title };
  },
  'browser.open_tab': async ({ url = 'about:blank', active = true }, context) => {
    const tabs = tabsOf(context);
    const address = allowed(url);
    await context.requireAddress?.(address);
    const tab = await tabs.open(address, active);
    await context.requireAddress?.(tab.url);
    return { opened: true, tab };
  },
  'browser.close_tab': async ({ tab_id }, context) => {
    const tabs = tabsOf(context);
    const lent = await tabs.list();
    const closing = tab_id ?? tabs.own;
    await requireLent(closing, context);
    if (lent.length < 2) {
      const message = 'This is the last lent tab, so it stays open. Open another first.';
      throw new BridgeError('permission_denied', message, { evidence: { reason: 'last_claimed_tab' } });
    }
    await tabs.close(closing);
    return { closed: true, tab_id: closing };
  },
  'browser.dismiss_dialog': async ({ accept = false, prompt_text }, context) => {
    const { dialogs } = context.host;
    if (dialogs === undefined)
      throw lacking('browser.dismiss_dialog', context.host, 'Ask the person to answer it.');
    const open = dialogs.open();
    if (open === undefined) {
      const message = 'The page has no dialog open.';
      throw new BridgeError('state_mismatch', message, { evidence: { reason: 'no_dialog' } });
    }
    const text = await dialogs.answer(accept, prompt_text);
    // A page that leaves with its dialog can no longer mask the text.
    const [message = open.message] = await masked([text], context).catch(() => []);
    return { dismissed: true, accepted: accept, dialog: open.dialog, message };
  },
};

async function pictureWithin(
  args: InputOf<'browser.screenshot'>,
  { host }: HandlerContext,
): Promise<Picture> {
  const { format = 'png', quality, max_width, max_height, max_kilobytes = Infinity } = args;
  const { picture } = host;
  if (picture === undefined) throw lacking('browser.screenshot', host, 'Use page.snapshot instead.');
  const size = { ...(max_width && { maxWidth: max_width }), ...(max_height && { maxHeight: max_height }) };
  const first = await picture({ format, ...size, ...(quality && { quality }) });
  if (kilobytesOf(first) <= max_kilobytes) return first;
  for (let lower = Math.min(quality ?? FIRST_QUALITY, FIRST_QUALITY); lower >= LEAST_QUALITY; lower -= 20) {
    const smaller = await picture({ format: 'jpeg', quality: lower, ...size });
    if (kilobytesOf(smaller) <= max_kilobytes) return smaller;
  }
  const message = `No picture of this size fits ${max_kilobytes} kB. Ask for a smaller max_width.`;
  throw new BridgeError('handler_failed', message, {
    evidence: { reason: 'picture_too_large', kilobytes: kilobytesOf(first) },
  });
}

/** Elements in frames of other sites have no mark: their places are the frame's. */
async function showMarks({ page }: HandlerContext): Promise<void> {
  const seen = await page<Pick<Snapshot, 'page'>>('snapshot', { scope: 'viewport', boxes: true });
  await page(
    'installMarks',
    seen.page.interactive_tree.filter(({ f }) => f === undefined),
  );
}

function tabsOf({ host }: HandlerContext): Tabs {
  if (host.tabs === undefined) throw lacking('tabs', host, 'Ask the person to open the page.');
  return host.tabs;
}

async function usableTabs(context: HandlerContext): Promise<TabInfo[]> {
  const lent = await tabsOf(context).list();
  return lent.filter(({ url }) => context.scope?.has(url) ?? true);
}

async function requireLent(tab_id: string, context: HandlerContext): Promise<void> {
  const lent = await usableTabs(context);
  if (lent.some((tab) => tab.tab_id === tab_id)) return;
  const message = `No lent tab has the id ${tab_id}. browser.claimed_tabs.list tells which there are.`;
  throw new BridgeError('target_not_found', message, { evidence: { tab_id } });
}

function allowed(url: string): string {
  if (url === 'about:blank' || (URL.canParse(url) && ADDRESSES.has(new URL(url).protocol))) return url;
  const message = 'Only http and https addresses can be opened.';
  throw new BridgeError('permission_denied', message, { evidence: { reason: 'address_refused' } });
}

const kilobytesOf = ({ image }: Picture): number => (image.length * 3) / 4 / 1_024;
