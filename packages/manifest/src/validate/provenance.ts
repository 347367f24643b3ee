import type { CheckContext } from './check-context.ts';
import type { Findings } from './finding.ts';
import { type Part, partOf, partsOf, textsWithin } from './part.ts';

/** Private details of people and machines, which a public map should not contain. */
const PRIVATE: readonly { readonly found: RegExp; readonly what: string }[] = [
  { found: /[\w.+-]+@[\w-]+\.[a-z]{2,}/i, what: 'an e-mail address' },
  { found: /^@[\w-]+$/, what: 'an account name' },
  { found: /^(user|account|login):/i, what: 'an account name' },
  { found: /:\/\/[^/\s@]+@/, what: 'a url with credentials' },
  { found: /[?&](access_token|token|api_?key|key|secret|signature|sig)=/i, what: 'a url with a secret' },
  { found: /(^|\s)(\/(home|users|root|mnt|var)\/|[a-z]:\\|\\\\|~\/)/i, what: "a path on somebody's machine" },
  { found: /^(file|ssh|git\+ssh):|^git@/i, what: 'a private repository path' },
  {
    found: /:\/\/([\w-]+\.)*(internal|corp|intranet|local|lan)(?=[:/]|$)/i,
    what: 'the address of a private host',
  },
  {
    found: /:\/\/(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/i,
    what: 'the address of a private host',
  },
];

const MAX_SEARCHED_CHARS = 500;

/** Also used by lint. */
export function* checkProvenance({ map }: Pick<CheckContext, 'map'>): Findings {
  const holders: Part[] = [map, ...partsOf(map, 'imports')];
  for (const holder of holders) {
    const provenance = partOf(holder, 'provenance');
    if (provenance === undefined) continue;
    for (const { text, path } of textsWithin(provenance.value, provenance.path)) {
      const what = PRIVATE.find(({ found }) => found.test(text.slice(0, MAX_SEARCHED_CHARS)))?.what;
      if (what !== undefined)
        yield {
          code: 'private_provenance',
          path,
          message: `holds ${what}, which a public map should not tell`,
          expected: 'a team, a product or a public url',
        };
    }
  }
}
