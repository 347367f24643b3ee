import type { InputOf } from '@drawbridge/protocol/primitives';
import type { Answer } from '../answer/answer.ts';
import { oneLine } from '../answer/fence.ts';
import { idWords, pageText, snapshotAnswer } from '../answer/snapshot-lines.ts';
import { type TabRoute, tabRoute, urlOf } from '../lent-tabs.ts';
import { numberAt, textAt } from '../loose-value.ts';
import { callPrimitive, type Fields, READ_ONLY, TAB, type Tool, type ToolContext } from './tool.ts';

const DEFAULT_TOKENS = 2000;
/** Share of a node's place in the page's count, which is not passed on. */
const POSITIONS_SHARE = 1.2;

export const SNAPSHOT: Tool = {
  name: 'snapshot',
  description:
    'Visible nodes (scope=page: all nodes), a line each: `id role name =value [state]`; `#` heading, `>` text. Cut to max_tokens: narrow long pages with query or region.',
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      query: { type: 'string', description: 'only what is about this' },
      region: { type: 'string', description: 'only inside this id' },
      scope: { type: 'string', enum: ['viewport', 'page'] },
      since: { type: 'string', description: 'snapshot id: only what changed' },
      mode: { type: 'string', enum: ['semantic', 'skeleton', 'full'], description: 'skeleton, full: HTML' },
      max_tokens: { type: 'integer', minimum: 50 },
    },
  },
  annotations: READ_ONLY,
  async handle(args, context) {
    const look = lookOf(args, context);
    const { output, view } = await callPrimitive(context, tabRoute(args, context), 'page.snapshot', look);
    const answer = snapshotAnswer(output, view && urlOf(view));
    const isMarkup = look.mode === 'skeleton' || look.mode === 'full';
    return isMarkup ? { ...answer, maxTokens: look.max_tokens ?? context.maxTokens } : answer;
  },
};

function lookOf(args: Fields, { maxTokens }: ToolContext): InputOf<'page.snapshot'> {
  const since = textAt(args, 'since');
  const mode = textAt(args, 'mode');
  const query = textAt(args, 'query');
  const region = textAt(args, 'region');
  const tokens = Math.min(numberAt(args, 'max_tokens') ?? DEFAULT_TOKENS, maxTokens);
  const isMarkup = mode === 'skeleton' || mode === 'full';
  return {
    mode: since !== undefined ? 'delta' : isMarkup ? mode : 'semantic',
    max_tokens: isMarkup ? tokens : withPositions(tokens),
    ...(!isMarkup && { form: 'lines', context: true }),
    ...(since !== undefined && { since }),
    ...(query !== undefined && { query }),
    ...(region !== undefined && { region }),
    ...(textAt(args, 'scope') === 'page' && { scope: 'page' }),
  };
}

const withPositions = (tokens: number): number => Math.floor(tokens * POSITIONS_SHARE);

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
): Promise<Pick<Answer, 'next'> & { readonly said: string; readonly text: string }> {
  const within = { timeout_ms: ARRIVAL_TIMEOUT_MS };
  try {
    const settle = { for: 'stable', timeout_ms: SETTLE_MS } as const;
    await callPrimitive(context, route, 'page.wait', settle, within).catch(() => {});
    const look = { mode: 'semantic', form: 'lines', context: true } as const;
    const max_tokens = withPositions(ARRIVAL_TOKENS);
    const { output } = await callPrimitive(context, route, 'page.snapshot', { ...look, max_tokens }, within);
    const leftOut = numberAt(output, 'left_out', 'nodes');
    return {
      said: idWords(output),
      text: pageText(output),
      ...(leftOut !== undefined && { next: `${leftOut} more nodes: take a snapshot to see them.` }),
    };
  } catch {
    const next = 'The new page is not ready yet: take a snapshot.';
    return { said: '', text: `url ${oneLine(url)}`, next };
  }
}
