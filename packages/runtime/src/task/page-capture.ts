import { BridgeError } from '@drawbridge/protocol';
import type { OutputOf } from '@drawbridge/protocol/primitives';
import type { Perceived, Wanted } from './body.ts';
import { type BodyCall, callPrimitive } from './body-call.ts';

/** What is known of a page of which only markup could be had. */
interface MarkupSize {
  readonly interactiveElements: number;
}

export interface CaptureOptions {
  /** INT-109: false never tries the semantic tree. True unless said otherwise. */
  readonly semantic?: () => boolean;
  /** By the query and the page, where there is no semantic tree (INT-108). Skeleton unless said otherwise. */
  readonly selectMode?: (query: string, page: MarkupSize) => 'skeleton' | 'hybrid';
}

/** The page itself, as far as it could be had; the rest of a look comes beside it. */
export interface Captured extends Perceived {
  /** The snapshot it is from, for what else that says. */
  readonly taken?: OutputOf<'page.snapshot'>;
}

/** INT-255 */
const SHORT_DOM = 10_000;

/** INT-108: the tree, else the full-key nodes, else markup. Fails as the first of them did. */
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
    // Boxes are for who also sees the picture.
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
  // Nothing but what a person can act on is in a skeleton (INT-262).
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

/** After these another way of looking sees no more. */
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
