import type { Hop } from '@drawbridge/protocol/catalog';

/** `browser → relay → proxy`, or `browser → relay, proxy → relay` where the hops are not connected. */
export function routeInWords(route: readonly Hop[]): string {
  const [first, second] = route;
  if (first !== undefined && second !== undefined && first[0] === second[1] && first[1] === second[0])
    return `${first[0]} ↔ ${first[1]}`;
  return route.reduce((words, [from, to], index) => {
    if (index === 0) return `${from} → ${to}`;
    return route[index - 1]?.[1] === from ? `${words} → ${to}` : `${words}, ${from} → ${to}`;
  }, '');
}
