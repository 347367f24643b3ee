import { compilePattern } from '../validate/linear-pattern.ts';

export interface UrlPredicate {
  readonly url_contains?: string;
  readonly url_matches?: string;
}

/** Whether a url matches both predicates of a target or context block. */
export function matchesUrl(predicate: UrlPredicate, url: string): boolean {
  const { url_contains, url_matches } = predicate;
  if (url_contains !== undefined && !url.includes(url_contains)) return false;
  return url_matches === undefined || findsPattern(url_matches, url);
}

/** Linear in the url, so that a map cannot stall its host; an invalid pattern matches nothing. */
function findsPattern(source: string, url: string): boolean {
  const compiled = compilePattern(source);
  return compiled.ok && compiled.pattern.test(url);
}
