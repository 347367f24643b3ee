import type { Html } from './html.ts';
import { html } from './html.ts';
import type { Visit } from './visits.ts';

export type PageCall = {
  url: URL;
  params: Record<string, string | undefined>;
  visit: Visit;
  payUrl: string;
};

export type PageContent = {
  title: string;
  body: Html;
  scripts?: readonly string[];
  status?: number;
  headers?: Record<string, string>;
  /** The page has a search field, so the header's is left out. */
  hasOwnSearch?: true;
};

export type Page = {
  path: string;
  /** Undefined means that there is no such page. */
  content(call: PageCall): PageContent | undefined | Promise<PageContent>;
};

/** A page that shows one awkward pattern of the web; listed on /corners. */
export type Corner = Page & { name: string; sentence: string };

type CornerSpec = {
  slug: string;
  name: string;
  sentence: string;
  scripts?: readonly string[];
  headers?: Record<string, string>;
  body(call: PageCall): Html | Promise<Html>;
};

export function defineCorner(spec: CornerSpec): Corner {
  return {
    path: `/corners/${spec.slug}`,
    name: spec.name,
    sentence: spec.sentence,
    content: async (call) => ({
      title: spec.name,
      body: cornerBody(spec, await spec.body(call)),
      scripts: spec.scripts ?? [],
      headers: spec.headers ?? {},
    }),
  };
}

export function cornerBody(corner: { name: string; sentence: string }, body: Html): Html {
  return html`
    <nav class="trail" aria-label="Breadcrumb"><a href="/corners">Awkward corners</a></nav>
    <h1>${corner.name}</h1>
    <p class="lead">${corner.sentence}</p>
    ${body}`;
}
