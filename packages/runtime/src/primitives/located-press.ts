import { BridgeError } from '@drawbridge/protocol';
import type { OutputOf } from '@drawbridge/protocol/primitives';
import { DocumentLeft, type SurfaceHost } from '../host.ts';

type Args = Readonly<Record<string, unknown>>;
type Found = OutputOf<'locator.element_info'>;

interface Located {
  readonly host: SurfaceHost;
  readonly origin?: string | undefined;
}

const CLICK = 'element.click';

/**
 * Replaces a click's locator by the id of its element, before anything classifies or prepares the press: from there
 * on it is a press on an id. Refuses a locator that means several elements. For validated arguments.
 */
export async function withLocatedId(name: string, given: Args, { host, origin }: Located): Promise<Args> {
  const { locator, ...press } = given;
  if (name !== CLICK || locator === undefined) return given;
  if (press['id'] !== undefined) {
    const message = `${CLICK}: give an id or a locator, and not both.`;
    throw new BridgeError('invalid_input', message, { evidence: { path: 'locator' } });
  }
  const look = { locator, auto_scroll: false };
  const found = host.callPage('locator.element_info', [look, origin === undefined ? {} : { origin }]);
  const { id, ambiguous, candidate_count } = trustFound(await found.catch(asNotPressed));
  if (!ambiguous) return { ...press, id };
  const message = `${CLICK}: ${candidate_count} elements fit the locator. Give one that means a single element.`;
  throw new BridgeError('target_not_found', message, { evidence: { reason: 'ambiguous', candidate_count } });
}

/** A workflow would take a document that left for the effect of the press. */
function asNotPressed(error: unknown): never {
  if (!(error instanceof DocumentLeft)) throw error;
  const message = `The document left before ${CLICK}. Wait for the next one first.`;
  throw new BridgeError('state_mismatch', message, { evidence: { reason: 'document_left' } });
}

/** Page code is ours. */
function trustFound(answer: unknown): Found {
  return answer as Found;
}
