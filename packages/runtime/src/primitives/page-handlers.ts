import { type RawExtraction, shapeRecords } from '@drawbridge/manifest';
import type { Delta, FullDom, Reading, Snapshot } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { ExtractEntry } from '@drawbridge/protocol/manifest';
import type { OutputOf } from '@drawbridge/protocol/primitives';
import type { HandlersOf } from './handler.ts';
import type { Hands } from './hands.ts';

type Taken = OutputOf<'page.snapshot'>;

export const PAGE_HANDLERS: HandlersOf<'page.'> = {
  'page.info': (args, hands) => hands.inPage('page.info', args),
  'page.fetch': (args, hands) => hands.inPage('page.fetch', args),
  'page.wait': (args, hands) => lasting('page.wait', args, hands),
  'page.extract': async ({ entries }, hands) => {
    const declared = parseEntries(entries);
    return parseExtraction(shapeRecords(declared, await hands.page<RawExtraction>('extract', declared)));
  },
  'page.read': (args, hands) => hands.page<Reading>('read', args),
  'page.snapshot': async ({ mode = 'semantic', since, ...options }, hands) => {
    switch (mode) {
      case 'semantic':
        return { mode, ...parseTaken(await hands.page<Snapshot>('snapshot', options)) };
      case 'delta':
        if (since === undefined) {
          const message = 'A delta needs `since`: the snapshot_id of the snapshot to compare with.';
          throw new BridgeError('invalid_input', message, {
            evidence: { path: 'since', reason: 'since_missing' },
          });
        }
        return { mode, ...parseTaken(await hands.page<Delta>('delta', since, options)) };
      case 'skeleton':
        return { mode, html: await hands.page<string>('skeleton') };
      case 'full': {
        const { max_bytes: limit } = options;
        return { mode, ...(await hands.page<FullDom>('fullDom', limit === undefined ? {} : { limit })) };
      }
    }
  },
};

/** Page code's lists are read-only; the wire's are not. */
function parseTaken(value: unknown): Omit<Taken, 'mode'> {
  return value as Omit<Taken, 'mode'>;
}

/** `fields` nests to any depth, which a schema without references cannot express. */
function parseEntries(entries: unknown): readonly ExtractEntry[] {
  return entries as readonly ExtractEntry[];
}

function parseExtraction(extraction: unknown): OutputOf<'page.extract'> {
  return extraction as OutputOf<'page.extract'>;
}

type Lasting = 'page.wait' | 'locator.wait_for';

const WAIT_MS: Readonly<Record<Lasting, number>> = { 'page.wait': 10_000, 'locator.wait_for': 1_000 };

/** A wait outlives its document: it continues in the next one with the remaining time. */
export async function lasting<Name extends Lasting>(
  name: Name,
  args: { readonly timeout_ms?: number },
  hands: Hands,
): Promise<OutputOf<Name>> {
  const { clock, journey } = hands;
  const startedAt = clock.now();
  const timeout_ms = args.timeout_ms ?? WAIT_MS[name];
  try {
    return await hands.inPage(name, { ...args, timeout_ms });
  } catch (error) {
    const left = timeout_ms - (clock.now() - startedAt);
    if (!journey.hasLeft() || left <= 0) throw error;
    if ((await journey.arrival(left)) === undefined) throw error;
    const rest = Math.max(0, timeout_ms - (clock.now() - startedAt));
    return hands.inPage(name, { ...args, timeout_ms: Math.round(rest) });
  }
}

export const LOCATOR_HANDLERS: HandlersOf<'locator.'> = {
  'locator.element_info': (args, hands) => hands.inPage('locator.element_info', args),
  'locator.text_content': (args, hands) => hands.inPage('locator.text_content', args),
  'locator.value': (args, hands) => hands.inPage('locator.value', args),
  'locator.wait_for': (args, hands) => lasting('locator.wait_for', args, hands),
};

export const DOM_HANDLERS: HandlersOf<'dom.'> = {
  'dom.observe.visible': (args, hands) => hands.inPage('dom.observe.visible', args),
  'dom.observe.attributes': (args, hands) => hands.inPage('dom.observe.attributes', args),
  'dom.snapshot_text': (args, hands) => hands.inPage('dom.snapshot_text', args),
  'dom.list_sections': (args, hands) => hands.inPage('dom.list_sections', args),
  'dom.focus': (args, hands) => hands.inPage('dom.focus', args),
};

export const VIEW_HANDLERS: HandlersOf<'viewport.' | 'overlay.'> = {
  'viewport.scroll': (args, hands) => hands.inPage('viewport.scroll', args),
  'overlay.open': (args, hands) => hands.inPage('overlay.open', args),
  'overlay.close': (args, hands) => hands.inPage('overlay.close', args),
};
