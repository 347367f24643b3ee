import type { Target } from '@drawbridge/protocol/manifest';
import type { Found, PageProbe } from '../../src/host.ts';

export interface FakePage extends PageProbe {
  /** Probed selectors, in order. */
  readonly asked: string[];
}

type Seen = number | Partial<Found> | Error;

/** A fake page: by selector, the number of elements, the finding, or an error. */
export function fakePage(url: string, elements: Readonly<Record<string, Seen>> = {}): FakePage {
  const asked: string[] = [];
  return {
    asked,
    url: async () => url,
    find: async (target) => {
      const selector = selectorOf(target);
      asked.push(selector);
      const seen = elements[selector] ?? 0;
      if (seen instanceof Error) throw seen;
      if (typeof seen === 'number') return { count: seen, visible: seen > 0, selector };
      return { count: 1, visible: true, selector, ...seen };
    },
  };
}

function selectorOf({ selector, selectors }: Target): string {
  const all = [selector, selectors].flat().filter((one) => one !== undefined);
  return all.join(', ');
}
