import type { GrantBook } from '@drawbridge/runtime';
import type { Settings, SiteRule } from '../wire.ts';

export function ruleFor(url: string, { sites }: Pick<Settings, 'sites'>): SiteRule['rule'] | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  const rules = sites.filter((site) => site.origin === origin).map(({ rule }) => rule);
  return rules.includes('never') ? 'never' : rules[0];
}

export function refusalAt(url: string, settings: Pick<Settings, 'sites'>): string | undefined {
  if (ruleFor(url, settings) !== 'never') return undefined;
  const { origin } = new URL(url);
  return `A rule of the person’s says that nothing is done at ${origin}. Ask them, or go elsewhere.`;
}

/** With an `ask` rule no grant covers an act: each one is asked about. Reading stays free. */
export function askingBook(book: GrantBook, settings: () => Pick<Settings, 'sites'>): GrantBook {
  return {
    ...book,
    find: (request) =>
      request.effect !== 'read' && ruleFor(request.origin, settings()) === 'ask'
        ? undefined
        : book.find(request),
  };
}
