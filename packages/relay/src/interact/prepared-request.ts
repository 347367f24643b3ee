import { selectDomMode, withoutSecrets } from '@drawbridge/brain';
import { BridgeError, type DomMode, type InteractRequest } from '@drawbridge/protocol';
import { InteractError } from './interact-error.ts';
import type { MakeSkeleton } from './page-skeleton.ts';

/** Prepares a request for the brain: mode chosen, artifacts present, secrets removed. */
export async function preparedRequest(
  raw: InteractRequest,
  lastScreenshot: string | undefined,
  makeSkeleton: MakeSkeleton,
): Promise<InteractRequest> {
  const { screenshot: sent, ...request } = cleanRequest(raw);
  // INT-271: null means the last one; before any, none.
  const screenshot = sent ?? (sent === null ? lastScreenshot : undefined);
  const domMode = modeOf(request, screenshot !== undefined);
  const { dom, skeletonDom } = request;
  const lacksSkeleton = skeletonDom === undefined && (domMode === 'skeleton' || domMode === 'hybrid');
  const made = lacksSkeleton && dom ? await makeSkeleton(dom) : undefined;
  return {
    ...request,
    domMode,
    ...(screenshot !== undefined && { screenshot }),
    ...(made !== undefined && { skeletonDom: made }),
  };
}

/** INT-27, INT-115, INT-116 */
export function modeOf(request: InteractRequest, hasScreenshot: boolean): DomMode {
  const { domMode, interactiveTree, semanticNodes, skeletonDom, dom, query } = request;
  const hasHtml = skeletonDom !== undefined || (dom ?? '') !== '';
  if (hasScreenshot && hasHtml && selectDomMode(query) === 'hybrid') return 'hybrid';
  if (domMode !== undefined) return domMode;
  if (interactiveTree !== undefined || semanticNodes !== undefined) return 'semantic';
  if (skeletonDom === undefined) return 'full';
  return hasScreenshot ? 'hybrid' : 'skeleton';
}

function cleanRequest(raw: InteractRequest): InteractRequest {
  try {
    return withoutSecrets(raw);
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    throw new InteractError('invalid_request', error.message, { cause: error });
  }
}
