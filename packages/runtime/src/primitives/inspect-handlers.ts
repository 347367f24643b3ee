import type { OutputOf } from '@drawbridge/protocol/primitives';
import { maskKeys } from '@drawbridge/protocol/secrets';
import type { InspectedMessage, Inspection } from '../host.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerContext, lacking, masked } from './handler-context.ts';

const LISTED = 50;
const BODY_CHARS = 200_000;

/** Every text is masked by the page, by the memory of all lent tabs, and by shape: it was never on the screen. */
async function clean(texts: readonly string[], inspection: Inspection, context: HandlerContext) {
  return (await masked(texts, context)).map((text) => maskKeys(inspection.mask(text)));
}

export const INSPECT_HANDLERS: HandlersOf<'inspect.'> = {
  'inspect.messages': async ({ query, limit = LISTED }, context) => {
    const { inspection, ofPage } = await started(context);
    const found = ofPage(inspection.messages());
    const texts = await clean(
      found.flatMap(({ text, source = '' }) => [text, source]),
      inspection,
      context,
    );
    const all = found.map(({ level, at }, index) => {
      const source = texts[index * 2 + 1];
      return {
        level,
        text: texts[index * 2] ?? '',
        at: new Date(at).toISOString(),
        ...(source && { source }),
      };
    });
    const { last, omitted } = lastOf(all, limit, query, ({ level, text }) => `${level} ${text}`);
    return { messages: last, omitted };
  },
  'inspect.requests': async ({ query, limit = LISTED }, context) => {
    const { inspection, ofPage } = await started(context);
    const found = ofPage(inspection.requests());
    const urls = await clean(
      found.map(({ url }) => url),
      inspection,
      context,
    );
    const all = found.map(({ origin: _, document_origin: __, ...request }, index) => ({
      ...request,
      url: urls[index] ?? '',
    }));
    const { last, omitted } = lastOf(
      all,
      limit,
      query,
      ({ method, url, status, type }) => `${method} ${status ?? ''} ${type} ${url}`,
    );
    return { requests: last, omitted };
  },
  'inspect.body': async ({ request_id }, context) => {
    const { inspection, ofPage } = await started(context);
    // A body of another site that was or is in this tab is not covered by the grant.
    const isHere = ofPage(inspection.requests()).some((each) => each.request_id === request_id);
    const { mime_type, body } = await inspection.body(isHere ? request_id : '');
    const seen = await context.page<{ readonly body: string }>('inspect.body', { body });
    const text = maskKeys(inspection.mask(seen.body));
    return {
      ...{ request_id, mime_type, length: text.length },
      body: text.slice(0, BODY_CHARS),
      truncated: text.length > BODY_CHARS,
    };
  },
  'inspect.storage': async ({ keys = [] }, context) => {
    await requireGrant(keys, context);
    const { host } = context;
    const seen = await context.page<Stored>('inspect.storage', { keys }, { origin: context.origin });
    const mask = host.inspection?.mask ?? ((text: string) => text);
    const plain = <Item extends { readonly name: string; readonly value?: string }>(item: Item): Item => ({
      ...item,
      name: maskKeys(mask(item.name)),
      ...(item.value !== undefined && { value: mask(item.value) }),
    });
    const local = seen.local.map(plain);
    const session = seen.session.map(plain);
    if (host.inspection === undefined) {
      const unseen = 'HttpOnly cookies and their flags: this host has no debugger.';
      return { cookies: seen.cookies.map(plain), local, session, unseen };
    }
    await host.inspection.start();
    const values = new Map(seen.cookies.map(({ name, value }) => [name, value]));
    const cookies = (await host.inspection.cookies()).map((cookie) => {
      const value = cookie.http_only ? undefined : values.get(cookie.name);
      return plain({ ...cookie, ...(value !== undefined && { value }) });
    });
    return { cookies, local, session };
  },
};

type Stored = Pick<OutputOf<'inspect.storage'>, 'cookies' | 'local' | 'session'>;

function requireGrant(
  keys: readonly string[],
  context: HandlerContext,
): Promise<(origin: string) => boolean> {
  if (context.requireInspection === undefined)
    throw lacking('inspect', context.host, 'Ask the person to look into the developer tools.');
  return context.requireInspection(keys);
}

async function started(context: HandlerContext) {
  const { inspection } = context.host;
  if (inspection === undefined)
    throw lacking(
      'console and no list of requests',
      context.host,
      'In the extension the person lends the tab with trusted input, which attaches Chrome’s debugger.',
    );
  const mayShow = await requireGrant([], context);
  await inspection.start();
  /** The grant is for one site; the tab may have been at others, and may have frames of others. */
  const ofPage = <Item extends Pick<InspectedMessage, 'origin' | 'document_origin'>>(
    items: readonly Item[],
  ) => items.filter((item) => item.origin === context.origin && mayShow(item.document_origin));
  return { inspection, ofPage };
}

function lastOf<Item>(items: readonly Item[], limit: number, query = '', words: (item: Item) => string) {
  const wanted = query.toLowerCase();
  const fit = items.filter((item) => words(item).toLowerCase().includes(wanted));
  return { last: fit.slice(-limit), omitted: Math.max(0, fit.length - limit) };
}
