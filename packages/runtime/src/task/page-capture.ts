import { BridgeError } from '@drawbridge/protocol';
import type { OutputOf } from '@drawbridge/protocol/primitives';
import { type BodyCall, callPrimitive } from './page-call.ts';
import type { Perceived, Wanted } from './task-page.ts';

/** Size of a page that was captured as markup only. */
interface MarkupSize {
  readonly interactiveElements: number;
}

export interface CaptureOptions {
  /** INT-109: false never tries the semantic tree. True by default. */
  readonly semantic?: () => boolean;
  /** Chooses a mode by query and page when there is no semantic tree (INT-108). Skeleton by default. */
  readonly selectMode?: (query: string, page: MarkupSize) => 'skeleton' | 'hybrid';
}

/** The captured page; extras of a look are added to it. */
export interface Captured extends Perceived {
  /** The snapshot that it comes from. */
  readonly taken?: OutputOf<'page.snapshot'>;
}

/** INT-255 */
const SHORT_DOM = 10_000;

/** INT-108: the tree, else the full-key nodes, else markup. Fails with the first of their errors. */
export async function capture(
  call: BodyCall,
  wanted: Wanted,
  { semantic = () => true, selectMode = () => 'skeleton' }: CaptureOptions,
  signal: AbortSignal,
): Promise<Captured> {
  const markup = () => captureMarkup(call, wanted.query ?? '', selectMode, signal);
  if (!semantic()) return markup();
  const tree = await attempt(captureTree(call, wanted, signal), signal);
  if (!(tree instanceof BridgeError) && tree.interactiveTree.length > 0) return tree;
  const nodes = await attempt(captureNodes(call, signal), signal);
  if (!(nodes instanceof BridgeError)) {
    const page = tree instanceof BridgeError ? await bareSigns(call, signal) : tree;
    return { ...page, ...nodes };
  }
  const rough = await attempt(markup(), signal);
  if (!(rough instanceof BridgeError)) return rough;
  throw tree instanceof BridgeError ? tree : nodes;
}

async function captureTree(call: BodyCall, wanted: Wanted, signal: AbortSignal): Promise<Captured> {
  const { query, screenshot } = wanted;
  const taken = await callPrimitive(
    call,
    'page.snapshot',
    // Boxes are only useful with a screenshot.
    { mode: 'semantic', ...(query !== undefined && { query }), ...(screenshot === true && { boxes: true }) },
    signal,
  );
  if (taken.page === undefined) return { ...(await bareSigns(call, signal)), taken };
  const { mode: _, interactive_tree: interactiveTree, ...signs } = taken.page;
  return { ...signs, interactiveTree, taken };
}

async function captureNodes(call: BodyCall, signal: AbortSignal) {
  const taken = await callPrimitive(call, 'page.snapshot', { form: 'full_keys' }, signal);
  const full = { mode: 'full', max_bytes: SHORT_DOM } as const;
  const { html = '' } = await callPrimitive(call, 'page.snapshot', full, signal);
  return { semanticNodes: taken.semanticNodes ?? [], dom: html.slice(0, SHORT_DOM) };
}

async function captureMarkup(
  call: BodyCall,
  query: string,
  selectMode: NonNullable<CaptureOptions['selectMode']>,
  signal: AbortSignal,
): Promise<Captured> {
  const skeletonDom = await markupOf(call, 'skeleton', signal);
  // A skeleton holds interactive elements only (INT-262).
  const interactiveElements = skeletonDom.match(/<[a-z]/g)?.length ?? 0;
  const domMode = selectMode(query, { interactiveElements });
  return { ...(await bareSigns(call, signal)), domMode, skeletonDom };
}

export const markupOf = async (
  call: BodyCall,
  mode: 'skeleton' | 'full',
  signal: AbortSignal,
): Promise<string> => (await callPrimitive(call, 'page.snapshot', { mode }, signal)).html ?? '';

async function bareSigns(call: BodyCall, signal: AbortSignal) {
  const { url, title } = await callPrimitive(call, 'page.info', {}, signal);
  return { url, title, interactiveTree: [] };
}

/** After these errors no other capture works either. */
const NOBODY_THERE: ReadonlySet<string> = new Set([
  ...['transport_failed', 'runtime_not_found', 'runtime_not_ready', 'permission_denied', 'ambiguous_runtime'],
]);

async function attempt<Value>(capturing: Promise<Value>, signal: AbortSignal): Promise<Value | BridgeError> {
  try {
    return await capturing;
  } catch (error) {
    if (signal.aborted || !(error instanceof BridgeError) || NOBODY_THERE.has(error.code)) throw error;
    return error;
  }
}
