import { isObject } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';
import { type AskedContent, readContent } from './asked-content.ts';

const WHOLE_PAGE = { locator: { selector: 'body' }, content: true };

/** Amounts and goods of the tab's page, for a question about a tool, or about a frame of another site. */
export async function orderOnPage(
  host: SurfaceHost,
  signal?: AbortSignal,
): Promise<AskedContent | undefined> {
  const answer = await host.callPage('act.element_context', [WHOLE_PAGE], signal).catch(() => undefined);
  const [context] = [answer].flat();
  const content = isObject(context) ? readContent(context['content']) : undefined;
  if (content === undefined) return undefined;
  const { amounts, goods } = content;
  return { amounts, ...(goods && { goods }), fields: [], text: '' };
}
