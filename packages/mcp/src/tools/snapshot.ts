import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import type { Answer } from '../answer/answer.ts';
import { oneLine, originOf } from '../answer/fence.ts';
import { changesBetween } from '../answer/looks.ts';
import { markupAnswer, seenPage } from '../answer/snapshot-lines.ts';
import { type TabRoute, tabRoute, urlOf } from '../lent-tabs.ts';
import { textAt, valueAt } from '../loose-value.ts';
import { callPrimitive, type Fields, READ_ONLY, TAB, type Tool, type ToolContext, tokensOf } from './tool.ts';

export const SNAPSHOT: Tool = {
  name: 'snapshot',
  description:
    'The page, a line each: `id kind name ="value" @x,y [state]`; `#` heading, `>` text, `@` middle of a nameless thing in page pixels, `~` before a guess (`[~on]`: looks on, by class or colour). The part in view, or all of a small page (scope=page: all). Says `unchanged` if it is as you last saw it.',
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      query: { type: 'string', description: 'only what is about this' },
      region: { type: 'string', description: 'only inside this id' },
      scope: { type: 'string', enum: ['viewport', 'page'] },
      since: { type: 'string', description: 'MARK of an earlier snapshot: only what changed' },
      fresh: { type: 'boolean', description: 'all of it, even if unchanged' },
      mode: { type: 'string', enum: ['semantic', 'skeleton', 'full'], description: 'skeleton, full: HTML' },
      max_tokens: { type: 'integer' },
    },
  },
  annotations: READ_ONLY,
  async handle(args, context) {
    const mode = textAt(args, 'mode');
    const route = tabRoute(args, context);
    if (mode === 'skeleton' || mode === 'full') return markup(mode, args, route, context);
    const { output, view } = await callPrimitive(context, route, 'page.snapshot', lookOf(args, context));
    const { look, pages, next } = seenPage(output, view && urlOf(view), context.nonce, textAt(args, 'query'));
    const tab = view?.runtime_id ?? '';
    const last = context.looks.last(tab);
    const since = textAt(args, 'since');
    const before = since === undefined ? undefined : context.looks.get(since);
    // The mark of an act, after which nothing has changed: the page was not shown, so that is not a look.
    const isAsTold =
      since !== undefined &&
      since !== before?.mark &&
      look.document !== undefined &&
      look.document === before?.document &&
      context.looks.isKnown(tab, since, look) &&
      pages[0]?.text === '' &&
      valueAt(args, 'fresh') !== true;
    if (isAsTold) return { said: `unchanged since ${since}`, pages: pages.slice(2) };
    context.looks.add(tab, look);
    const whole = { pages, ...(next !== undefined && { next }) };
    if (valueAt(args, 'fresh') === true) return whole;
    const [late, page, ...events] = pages;
    const rest = late === undefined ? events : [late, ...events];
    const but = late === undefined || late.text === '' ? '' : ', but for this';
    const unchanged = { said: `unchanged since ${look.mark}${but}`, pages: rest };
    if (since === undefined) return last?.text === look.text ? unchanged : whole;
    if (since === look.mark) return unchanged;
    if (before === undefined)
      return { ...whole, said: 'That snapshot is forgotten; this is the whole page:' };
    const text = changesBetween(before, look).join('\n');
    return {
      ...whole,
      said: `changes since ${before.mark}`,
      pages: [...(late ? [late] : []), { origin: page?.origin ?? '', text, mark: look.mark }, ...events],
    };
  },
};

/** HTML takes no query: it is refused rather than ignored. */
async function markup(
  mode: 'skeleton' | 'full',
  args: Fields,
  route: TabRoute,
  context: ToolContext,
): Promise<Answer> {
  const unfit = ['query', 'scope', 'since'].find((name) => textAt(args, name) !== undefined);
  if (unfit !== undefined)
    throw new BridgeError(
      'invalid_input',
      `mode=${mode} has no \`${unfit}\`: leave it out, or leave out mode.`,
    );
  const max_tokens = tokensOf(args, context);
  const region = textAt(args, 'region');
  const { output, view } = await callPrimitive(context, route, 'page.snapshot', {
    mode,
    max_tokens,
    ...(region !== undefined && { region }),
  });
  return { ...markupAnswer(output, view && urlOf(view)), maxTokens: max_tokens };
}

function lookOf(args: Fields, context: ToolContext): InputOf<'page.snapshot'> {
  const query = textAt(args, 'query');
  const region = textAt(args, 'region');
  const scope = textAt(args, 'scope');
  return {
    mode: 'semantic',
    form: 'view',
    max_tokens: tokensOf(args, context),
    ...(query !== undefined && { query }),
    ...(region !== undefined && { region }),
    ...((scope === 'page' || scope === 'viewport') && { scope }),
  };
}

/** Enough to continue with. */
const ARRIVAL_TOKENS = 700;
const ARRIVAL_TIMEOUT_MS = 5_000;
/** A page that loads its content late shows "Loading…" at first. */
const SETTLE_MS = 1_500;

/**
 * The page after a navigation, in short. Every agent looks next: including it saves a turn at the same cost.
 * Never fails the action.
 */
export async function arrival(
  context: ToolContext,
  route: TabRoute,
  url: string,
): Promise<Pick<Answer, 'pages' | 'next'>> {
  const within = { timeout_ms: ARRIVAL_TIMEOUT_MS };
  try {
    const settle = { for: 'stable', timeout_ms: SETTLE_MS } as const;
    await callPrimitive(context, route, 'page.wait', settle, within).catch(() => {});
    const look = { mode: 'semantic', form: 'view', max_tokens: ARRIVAL_TOKENS } as const;
    const { output, view } = await callPrimitive(context, route, 'page.snapshot', look, within);
    const { look: seen, pages, next } = seenPage(output, url, context.nonce);
    context.looks.add(view?.runtime_id ?? '', seen);
    return { pages, ...(next !== undefined && { next }) };
  } catch {
    const next = 'The new page is not ready yet: take a snapshot.';
    return { pages: [{ origin: originOf(url), text: `url ${oneLine(url)}` }], next };
  }
}
