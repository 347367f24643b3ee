import { insideOf } from '../locate/deep-query.ts';
import { elementContextOn, type PageElementContext } from './element-context.ts';
import { type AskedContent, destinationOf } from './fingerprint.ts';
import { attributeOf, controlsOf, formOf, isForm, SENDER } from './forms.ts';
import type { InPageContext } from './in-page-context.ts';
import { likenessOf, type OfferedAddress } from './like-addresses.ts';

export interface OfferedQuery {
  /** As the agent gave it. Without one, every address is answered. */
  readonly url?: string;
}

/** Others send their address by a script with another method: getting it shows what they would change. */
const LINK = ':is(a, area)[href]:not([data-method], [data-turbo-method], [hx-delete], [hx-post], [hx-put])';
const MOST_READ = 300;
const NOTHING_SENT = { submits: false, sensitive: false, secret: false } as const;

/**
 * Links and GET forms of the page that lead to an address, as a press on them is classified: getting their
 * address does what the press does. An address that is only alike counts where none is the same.
 */
export function offeredAddresses({ url }: OfferedQuery, context: InPageContext): PageElementContext[] {
  const offered = offeredIn(context.document, context);
  if (url === undefined) return readAll(offered, context);
  const asked = URL.parse(url, context.document.baseURI)?.href ?? '';
  const same = offered.filter((each) => likenessOf(each, asked) === 'same');
  const alike = same.length > 0 ? [] : offered.filter((each) => likenessOf(each, asked) === 'alike');
  return readAll([...same, ...alike], context, asked);
}

interface Offered extends OfferedAddress {
  readonly element: Element;
}

function readAll(offered: readonly Offered[], context: InPageContext, asked?: string): PageElementContext[] {
  return offered.slice(0, MOST_READ).map(({ element, to, fields }) => ({
    ...elementContextOn(element, { x: 0, y: 0, by: 'press' }, context),
    ...NOTHING_SENT,
    content: { url: asked ?? to, ...formOnly(fields), amounts: [], text: '' },
  }));
}

const formOnly = (names: readonly string[] | undefined): Pick<AskedContent, 'method' | 'fields'> => ({
  ...(names && { method: 'get' }),
  fields: names?.map((name) => ({ name, value: '', shown: false })) ?? [],
});

function offeredIn(root: Document | ShadowRoot, context: InPageContext): Offered[] {
  const found: Offered[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (element.matches(LINK)) found.push(...linkTo(element));
    else if (element.matches(SENDER)) found.push(...formTo(element));
    const inner = insideOf(element, context.pageInternals.shadowRootOf);
    if (inner !== undefined) found.push(...offeredIn(inner, context));
  }
  return found;
}

/** A link to its own page opens nothing: its script does the rest. */
function linkTo(element: Element): Offered[] {
  const { url: to = '' } = destinationOf(element, undefined, element);
  const here = element.ownerDocument.URL.replace(/#.*/, '');
  return isWebAddress(to) && to.replace(/#.*/, '') !== here ? [{ element, to }] : [];
}

function formTo(element: Element): Offered[] {
  const form = formOf(element);
  if (form === undefined || !isForm(form)) return [];
  const { url: to = '', method } = destinationOf(element, form, element);
  if (method?.startsWith('get') !== true || !isWebAddress(to)) return [];
  const fields = controlsOf(form).flatMap((control) => attributeOf(control, 'name') || []);
  return [{ element, to, fields }];
}

const isWebAddress = (url: string): boolean => /^https?:/.test(url);
