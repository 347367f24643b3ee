import { isIP } from 'node:net';

/** How closely a folder's host matches a page's: 0 is exact, undefined is no match. */
export function hostDistance(page: string, folder: string): number | undefined {
  const [host, site] = [plainHost(page), plainHost(folder)];
  if (host === '' || site === '') return undefined;
  if (host === site) return 0;
  if (isIP(host) !== 0 || isIP(site) !== 0) return undefined;
  if (withoutWww(host) === withoutWww(site)) return 1;
  const parent = withoutWww(site);
  // A single label would be a whole top-level domain.
  if (!parent.includes('.') || !host.endsWith(`.${parent}`)) return undefined;
  return 1 + host.slice(0, -parent.length).split('.').length;
}

function plainHost(host: string): string {
  const lower = host.toLowerCase().replace(/\.$/, '');
  return lower.startsWith('[') ? lower.slice(1, -1) : lower;
}

const withoutWww = (host: string): string => host.replace(/^www\./, '');
