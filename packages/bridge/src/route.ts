import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import { type Described, latestUrl } from './runtime-entry.ts';

type Selector = (runtime: Described) => boolean;

const MAX_LISTED = 20;

/** The only runtime that matches every selector of the call (BRG-51 to BRG-64). */
export function route<Runtime extends Described>(call: ActionCall, runtimes: readonly Runtime[]): Runtime {
  const [first, ...others] = matching(call, runtimes);
  if (first === undefined) throw notFound(call, runtimes);
  if (others.length > 0) throw ambiguous([first, ...others]);
  return first;
}

/** All matches; all runtimes without a selector. */
export function matching<Runtime extends Described>(
  call: ActionCall,
  runtimes: readonly Runtime[],
): readonly Runtime[] {
  const selectors = selectorsOf(call);
  return runtimes.filter((runtime) => selectors.every((fits) => fits(runtime)));
}

export const namesARuntime = (call: ActionCall): boolean => selectorsOf(call).length > 0;

function selectorsOf(call: ActionCall): readonly Selector[] {
  const { runtime_id, target_runtime_id, target, target_url_contains, target_title_contains } = call;
  const selectors: Selector[] = [];
  for (const id of [runtime_id, target_runtime_id, target?.runtime_id]) {
    if (id !== undefined) selectors.push(({ ready }) => ready.runtime_id === id);
  }
  const { runtime_key } = target ?? {};
  if (runtime_key !== undefined) selectors.push(({ ready }) => ready.runtime_key === runtime_key);
  if (target_url_contains !== undefined)
    selectors.push((runtime) => latestUrl(runtime).includes(target_url_contains));
  if (target_title_contains !== undefined)
    selectors.push(({ ready }) => ready.title?.includes(target_title_contains) ?? false);
  return selectors;
}

function ambiguous(candidates: readonly Described[]): BridgeError {
  return new BridgeError(
    'ambiguous_runtime',
    `${candidates.length} runtimes fit this call and none was chosen. Name one by runtime_id.`,
    { evidence: { candidates: listed(candidates), count: candidates.length } },
  );
}

function notFound(call: ActionCall, connected: readonly Described[]): BridgeError {
  const message =
    connected.length === 0
      ? 'No runtime is connected. Lend a tab, or start a browser, and call again.'
      : `None of the ${connected.length} connected runtimes fits every selector of this call. Choose one of those listed, or leave selectors out.`;
  const { runtime_id, target_runtime_id, target, target_url_contains, target_title_contains } = call;
  const selectors = { runtime_id, target_runtime_id, target, target_url_contains, target_title_contains };
  const used = Object.fromEntries(Object.entries(selectors).filter(([, value]) => value !== undefined));
  return new BridgeError('runtime_not_found', message, {
    evidence: { selectors: used, candidates: listed(connected), count: connected.length },
  });
}

function listed(runtimes: readonly Described[]) {
  return runtimes.slice(0, MAX_LISTED).map((runtime) => {
    const { runtime_id, runtime_key, title = null } = runtime.ready;
    const key = runtime_key === undefined ? {} : { runtime_key };
    return { runtime_id, ...key, url: latestUrl(runtime), title };
  });
}
