import { isObject, type Target } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';
import type { Repair } from './drift.ts';
import { type Lookalike, likeness, selectorsOf } from './likeness.ts';
import { weakerSelectors } from './selector-parts.ts';

const MIN_CONFIDENCE = 0.4;
const MAX_REPAIRS = 3;
const MAX_NODES = 1_500;
const MAX_TRIES = 24;

interface PageElement extends Lookalike {
  readonly id: string;
}

/** State of the page for a search for repairs. */
export interface RepairContext {
  readonly host: SurfaceHost;
  readonly elements: readonly PageElement[];
  /** Ids of elements that other parts of the map still find; unlikely candidates. */
  readonly claimed: ReadonlySet<string>;
}

/** Scans the page once for all missing parts. */
export async function repairContext(host: SurfaceHost, held: readonly Target[]): Promise<RepairContext> {
  const ids = await Promise.all(
    held.map(async (target) => {
      const info = await host
        .callPage('elementInfo', [target, { auto_scroll: false }])
        .catch(() => undefined);
      return isObject(info) && typeof info['id'] === 'string' ? [info['id']] : [];
    }),
  );
  return { host, elements: await elementsOf(host), claimed: new Set(ids.flat()) };
}

async function elementsOf(host: SurfaceHost): Promise<PageElement[]> {
  const options = {
    scope: 'page',
    form: 'full_keys',
    max_nodes: MAX_NODES,
    max_tokens: 1_000_000,
    max_bytes: 4_000_000,
  };
  const snapshot = await host.callPage('snapshot', [options]);
  const nodes = isObject(snapshot) ? snapshot['semanticNodes'] : undefined;
  return (Array.isArray(nodes) ? nodes : []).flatMap((node: unknown) => {
    if (!isObject(node)) return [];
    const { id, role, name, href } = node;
    if (typeof id !== 'string' || typeof role !== 'string' || typeof name !== 'string') return [];
    return [{ id, role, name, ...(typeof href === 'string' && { href }) }];
  });
}

/** The best candidates, each with a selector that matches it alone. */
export async function repairsFor(target: Target, words: string, scene: RepairContext): Promise<Repair[]> {
  const found = [
    ...(await bySelector(target, words, scene)),
    ...(await byDescription(target, words, scene)),
  ].toSorted((one, other) => other.confidence - one.confidence);
  const best = found.filter(
    ({ selector }, mapTarget) => found.findIndex((other) => other.selector === selector) === mapTarget,
  );
  return best.slice(0, MAX_REPAIRS);
}

/** Tries weaker forms of the old selectors. */
async function bySelector(
  target: Target,
  words: string,
  { host, claimed }: RepairContext,
): Promise<Repair[]> {
  const tries = selectorsOf(target).flatMap(weakerSelectors).slice(0, MAX_TRIES);
  const repairs = await Promise.all(
    tries.map(async ({ selector, worth }) => {
      const element = await onlyElement(selector, host);
      if (element === undefined) return [];
      const like = likeness({ ...target, selector: '', selectors: [] }, words, element);
      const confidence = rounded(
        (worth + Math.min(like.score, 1) * 0.4 - (mismatches(target, element) ? 0.3 : 0)) *
          share(element.id, claimed),
      );
      const because = [`${selector} still means one element`, like.because].filter(Boolean).join('; ');
      return confidence < MIN_CONFIDENCE ? [] : [{ ...element.repair, confidence, because }];
    }),
  );
  return repairs.flat();
}

async function byDescription(
  target: Target,
  words: string,
  { host, elements, claimed }: RepairContext,
): Promise<Repair[]> {
  const ranked = elements
    .map((element) => {
      const { score, because } = likeness(target, words, element);
      return { element, because, score: score * share(element.id, claimed) };
    })
    .filter(({ score }) => score >= MIN_CONFIDENCE)
    .toSorted((one, other) => other.score - one.score);
  const repairs = await Promise.all(
    ranked.slice(0, MAX_REPAIRS).map(async ({ element: { id, role, name }, score, because }) => {
      const selector = await host.callPage('selectorPath', [id]).catch(() => undefined);
      // Each equally good rival lowers the confidence.
      const rivals = ranked.filter((other) => other.score >= score - 0.05).length - 1;
      const confidence = rounded(Math.min(score, 1) / (1 + rivals * 0.5));
      return typeof selector !== 'string' || confidence < MIN_CONFIDENCE
        ? []
        : [{ selector, role, name, confidence, because }];
    }),
  );
  return repairs.flat();
}

const CLAIMED_SHARE = 0.6;

const share = (id: string, claimed: ReadonlySet<string>): number => (claimed.has(id) ? CLAIMED_SHARE : 1);

const mismatches = ({ role }: Target, element: Lookalike): boolean =>
  role !== undefined && role !== element.role;

/** The only element that a selector matches, with the page code's selector for it. */
async function onlyElement(
  selector: string,
  host: SurfaceHost,
): Promise<(PageElement & { readonly repair: Pick<Repair, 'selector' | 'role' | 'name'> }) | undefined> {
  // A selector that the page refuses or that matches nothing is not a repair.
  const info = await host
    .callPage('elementInfo', [{ selector }, { auto_scroll: false }])
    .catch(() => undefined);
  if (!isObject(info) || info['candidate_count'] !== 1) return undefined;
  const { id, selector_path: path, role, name, text } = info;
  if (typeof id !== 'string' || typeof path !== 'string') return undefined;
  if (typeof role !== 'string' || typeof name !== 'string') return undefined;
  const shown = name === '' && typeof text === 'string' ? text.slice(0, 50) : name;
  return { id, role, name: shown, repair: { selector: path, role, name: shown } };
}

const rounded = (confidence: number): number =>
  Math.round(Math.max(0, Math.min(confidence, 0.95)) * 100) / 100;
