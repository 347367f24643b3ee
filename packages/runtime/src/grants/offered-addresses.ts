import { type Clock, delay } from '@drawbridge/base';
import { likenessOf } from '@drawbridge/page/calls';
import type { SurfaceHost } from '../host.ts';
import { type ElementContext, effectOfPress, readElementContext } from './element-context.ts';

interface Kept extends ElementContext {
  readonly to: string;
  /** Names of a GET form. */
  readonly fields?: readonly string[];
}

/** A tab whose page may offer an address. */
type Tab = Pick<SurfaceHost, 'callPage' | 'surface'>;

const MOST_KEPT = 500;
const MOST_TABS = 20;
/** A page that hangs offers nothing. */
const ANSWER_MS = 1_000;

/**
 * Addresses that pages of the lent tabs offer by a link or a GET form. An agent that opens one is asked about
 * it as about the press.
 */
export type OfferedAddresses = ReturnType<typeof createOfferedAddresses>;

export function createOfferedAddresses(clock: Clock) {
  const tabs = new Set<Tab>();
  /** Irreversible ones of pages that an agent has left, the newest last. */
  let kept: readonly Kept[] = [];
  const ask = async (tab: Tab, query: { readonly url?: string }): Promise<readonly ElementContext[]> => {
    const late = new AbortController();
    const answer = tab.callPage('act.offered_addresses', [query]).catch(() => []);
    const none = delay(clock, ANSWER_MS, late.signal).then(() => []);
    const found: unknown = await Promise.race([answer, none]).finally(() => late.abort());
    return Array.isArray(found) ? found.map(readElementContext) : [];
  };
  return {
    add(tab: Tab): () => void {
      tabs.add(tab);
      return () => tabs.delete(tab);
    },
    /** Contexts of what offers the address, in the calling tab, in another, or on a page before. */
    async of(url: string, own: Tab): Promise<readonly ElementContext[]> {
      const asked = URL.parse(url, own.surface().url)?.href ?? url;
      const others = [...tabs].filter((tab) => tab !== own).slice(-MOST_TABS);
      const here = ask(own, { url });
      const found = await Promise.all([here, ...others.map((tab) => ask(tab, { url: asked }))]);
      const before = kept.filter((each) => likenessOf(each, asked) === 'same');
      return [...found.flat(), ...before.slice(-1)];
    },
    /** Before a tab leaves its page. */
    async keep(own: Tab): Promise<void> {
      const offered = await ask(own, {});
      const heavy = offered.flatMap((each) => {
        const { content } = each;
        if (effectOfPress(each) !== 'irreversible' || content?.url === undefined) return [];
        const fields = content.method === undefined ? undefined : content.fields.map(({ name }) => name);
        return { ...each, to: content.url, ...(fields && { fields }) };
      });
      kept = [...kept.filter(({ to }) => !heavy.some((each) => each.to === to)), ...heavy].slice(-MOST_KEPT);
    },
  };
}
