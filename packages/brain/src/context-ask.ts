import type { InteractRequest, NeedsContext } from '@drawbridge/protocol';

/** Extra artifacts of a client: a picture with the skeleton, or the whole DOM. */
export const ARTIFACTS = ['picture', 'full_dom'] as const;
export type Artifact = (typeof ARTIFACTS)[number];

/**
 * The request for an artifact. Undefined if present, or if it was requested in this step and did not come: a
 * capture may fail, and then the decision is made without it (INT-101).
 */
export function askFor(
  artifact: Artifact,
  request: InteractRequest,
  asked: readonly Artifact[],
  reason: string,
): NeedsContext | undefined {
  if (asked.includes(artifact)) return undefined;
  return artifact === 'picture' ? askForPicture(request, reason) : askForDom(request, reason);
}

function askForPicture(request: InteractRequest, reason: string): NeedsContext | undefined {
  const { screenshot, skeletonDom, domMode } = request;
  const wasAsked = domMode === 'hybrid' || (hasTree(request) && skeletonDom !== undefined);
  if (screenshot !== undefined || wasAsked) return undefined;
  return {
    status: 'needs_context',
    requestedDomMode: 'hybrid',
    needsScreenshot: true,
    needsSkeletonDom: skeletonDom === undefined,
    reason,
  };
}

/** INT-99: a client without a tree may know only the older word. */
function askForDom(request: InteractRequest, reason: string): NeedsContext | undefined {
  if (request.dom) return undefined;
  return {
    status: hasTree(request) ? 'needs_context' : 'needs_full_dom',
    requestedDomMode: 'full',
    needsScreenshot: false,
    needsSkeletonDom: false,
    reason,
  };
}

const hasTree = ({ interactiveTree, semanticNodes }: InteractRequest): boolean =>
  interactiveTree !== undefined || semanticNodes !== undefined;
