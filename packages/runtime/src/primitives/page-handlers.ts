import { type RawExtraction, shapeRecords } from '@drawbridge/manifest';
import type { Delta, FullDom, Reading, Snapshot } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { ExtractEntry } from '@drawbridge/protocol/manifest';
import type { OutputOf } from '@drawbridge/protocol/primitives';
import type { HandlersOf } from './handler.ts';
import type { HandlerContext } from './handler-context.ts';

type Taken = OutputOf<'page.snapshot'>;

export const PAGE_HANDLERS: HandlersOf<'page.'> = {
  'page.info': (args, context) => context.inPage('page.info', args),
  'page.fetch': (args, context) => context.inPage('page.fetch', args),
  'page.wait': (args, context) => lasting('page.wait', args, context),
  'page.extract': async ({ entries }, context) => {
    const declared = trustEntries(entries);
    return trustExtraction(shapeRecords(declared, await context.page<RawExtraction>('extract', declared)));
  },
  'page.read': (args, context) => context.page<Reading>('read', args),
  'page.snapshot': async ({ mode = 'semantic', since, ...options }, context) => {
    switch (mode) {
      case 'semantic':
        return { mode, ...trustTaken(await context.page<Snapshot>('snapshot', options)) };
      case 'delta':
        if (since === undefined) {
          const message = 'A delta needs `since`: the snapshot_id of the snapshot to compare with.';
          throw new BridgeError('invalid_input', message, {
            evidence: { path: 'since', reason: 'since_missing' },
          });
        }
        return { mode, ...trustTaken(await context.page<Delta>('delta', since, options)) };
      case 'skeleton':
        return { mode, html: await context.page<string>('skeleton', within(options)) };
      case 'full': {
        const { max_bytes: limit } = options;
        const asked = { ...within(options), ...(limit !== undefined && { limit }) };
        return { mode, ...(await context.page<FullDom>('fullDom', asked)) };
      }
    }
  },
};

const within = ({ region }: { readonly region?: string }) => (region === undefined ? {} : { region });

/** Page code's lists are read-only; the wire's are not. */
function trustTaken(value: unknown): Omit<Taken, 'mode'> {
  return value as Omit<Taken, 'mode'>;
}

/** `fields` nests to any depth, which a schema without references cannot express. */
function trustEntries(entries: unknown): readonly ExtractEntry[] {
  return entries as readonly ExtractEntry[];
}

function trustExtraction(extraction: unknown): OutputOf<'page.extract'> {
  return extraction as OutputOf<'page.extract'>;
}

type Lasting = 'page.wait' | 'locator.wait_for';

const WAIT_MS: Readonly<Record<Lasting, number>> = { 'page.wait': 10_000, 'locator.wait_for': 1_000 };

/** A wait outlives its document: it continues in the next one with the remaining time. */
export async function lasting<Name extends Lasting>(
  name: Name,
  args: { readonly timeout_ms?: number },
  context: HandlerContext,
): Promise<OutputOf<Name>> {
  const { clock, navigation } = context;
  const startedAt = clock.now();
  const timeout_ms = args.timeout_ms ?? WAIT_MS[name];
  try {
    return await context.inPage(name, { ...args, timeout_ms });
  } catch (error) {
    const left = timeout_ms - (clock.now() - startedAt);
    if (!navigation.hasLeft() || left <= 0) throw error;
    if ((await navigation.arrival(left)) === undefined) throw error;
    const rest = Math.max(0, timeout_ms - (clock.now() - startedAt));
    return context.inPage(name, { ...args, timeout_ms: Math.round(rest) });
  }
}

export const LOCATOR_HANDLERS: HandlersOf<'locator.'> = {
  'locator.element_info': (args, context) => context.inPage('locator.element_info', args),
  'locator.text_content': (args, context) => context.inPage('locator.text_content', args),
  'locator.value': (args, context) => context.inPage('locator.value', args),
  'locator.wait_for': (args, context) => lasting('locator.wait_for', args, context),
};

export const A11Y_HANDLERS: HandlersOf<'a11y.'> = {
  'a11y.query': (args, context) => context.inPage('a11y.query', args),
  'a11y.tree': (args, context) => context.inPage('a11y.tree', args),
};

export const DOM_HANDLERS: HandlersOf<'dom.'> = {
  'dom.observe.visible': (args, context) => context.inPage('dom.observe.visible', args),
  'dom.observe.attributes': (args, context) => context.inPage('dom.observe.attributes', args),
  'dom.snapshot_text': (args, context) => context.inPage('dom.snapshot_text', args),
  'dom.list_sections': (args, context) => context.inPage('dom.list_sections', args),
  'dom.focus': (args, context) => context.inPage('dom.focus', args),
};

export const VIEW_HANDLERS: HandlersOf<'viewport.' | 'overlay.'> = {
  'viewport.scroll': (args, context) => context.inPage('viewport.scroll', args),
  'overlay.open': (args, context) => context.inPage('overlay.open', args),
  'overlay.close': (args, context) => context.inPage('overlay.close', args),
  'overlay.menu.hide': (args, context) => context.inPage('overlay.menu.hide', args),
  'overlay.menu.show': (args, context) => context.inPage('overlay.menu.show', args),
  'overlay.menu.collapse': (args, context) => context.inPage('overlay.menu.collapse', args),
  'overlay.menu.expand': (args, context) => context.inPage('overlay.menu.expand', args),
  'overlay.menu.move': (args, context) => context.inPage('overlay.menu.move', args),
};
