import { LIMITS } from '@drawbridge/protocol';
import { parse } from 'tldts';

/** INT-146: `www.shop.co.uk` becomes `shop.co.uk`; `localhost` and IP addresses stay as they are. */
export function rootDomainOf(url: string): string | undefined {
  const { protocol = '' } = URL.parse(url) ?? {};
  if (!/^(?:https?|wss?|ftp):$/.test(protocol)) return undefined;
  const { domain, hostname } = parse(url, { allowPrivateDomains: true });
  return (domain ?? hostname ?? undefined)?.slice(0, LIMITS.domain.value);
}

/** INT-144 */
export function titleOf(domain: string, task: string): string {
  const title = domain === '' ? task : `${domain}: ${task}`;
  const { value: most } = LIMITS.page_title;
  return (title.length > most ? `${title.slice(0, most - 1)}…` : title).toWellFormed();
}
