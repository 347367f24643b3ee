import type { RuntimeView } from '@drawbridge/bridge';
import { SITE_MODES, SITE_TOOL } from '@drawbridge/manifest';
import { visibleJson } from '@drawbridge/protocol';
import type { Answer } from '../answer/answer.ts';
import { reportOf } from '../answer/effect-lines.ts';
import { originOf } from '../answer/fence.ts';
import { siteLines } from '../answer/site-lines.ts';
import { tabRoute, urlOf } from '../lent-tabs.ts';
import { listAt, textAt, valueAt } from '../loose-value.ts';
import { ACTS, TAB, type Tool } from './tool.ts';

export const SITE: Tool = {
  name: 'site',
  description:
    "The site's map, better than clicking where there is one: `list` it, `call` an action, read state as data (state_summary first), or state_diff since the last read.",
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      mode: { type: 'string', enum: [...SITE_MODES] },
      action: { type: 'string' },
      arguments: { type: 'object' },
      projection_name: { type: 'string' },
      summary_name: { type: 'string' },
      max_bytes: { type: 'integer', minimum: 1 },
    },
    required: ['mode'],
  },
  annotations: ACTS,
  async handle({ tab, ...args }, context) {
    const { output, view } = await context.call({
      name: SITE_TOOL.name,
      arguments: args,
      route: tabRoute({ tab }, context),
    });
    const mode = textAt(args, 'mode') ?? '';
    if (mode.startsWith('state_')) return outputAnswer('', stateOf(output), view);
    if (mode !== 'list') return outputAnswer(textAt(args, 'action') ?? '', output, view);
    const text = siteLines(output);
    const origin = originOf(view && urlOf(view));
    return text === ''
      ? { said: 'The site has no map: use snapshot and act.' }
      : { pages: [{ origin, text }] };
  },
};

/** Fields that an agent sent itself or does not use; more tokens than most summaries. */
const AROUND_STATE: ReadonlySet<string> = new Set([
  'ok',
  'projection',
  'summary_name',
  'state_hash',
  'observed_at',
  'diagnostics',
]);

/** A state without its envelope, but with the parts that the page lacks. */
function stateOf(output: unknown): unknown {
  if (valueAt(output, 'ok') !== true || typeof output !== 'object' || output === null) return output;
  const missing = listAt(output, 'diagnostics', 'missing_required_fields');
  return {
    ...Object.fromEntries(Object.entries(output).filter(([key]) => !AROUND_STATE.has(key))),
    ...(missing.length > 0 && { missing }),
  };
}

/** The fence names content that the page itself does not vouch for. */
function fenceOf(action: string, view: RuntimeView | undefined): string {
  const origin = originOf(view && urlOf(view));
  const tool = listAt(view?.ready.manifest, 'tools').find((each) => textAt(each, 'name') === action);
  return valueAt(tool, 'x_actions', 'source', 'untrusted_content') === true ? `${origin}#untrusted` : origin;
}

/** The output of a map's tool: an effect in lines, anything else as JSON. */
export function outputAnswer(action: string, output: unknown, view: RuntimeView | undefined): Answer {
  const origin = fenceOf(action, view);
  if (valueAt(output, 'effect', 'happened') !== undefined) {
    const { said, lines } = reportOf(action, {}, output);
    return { said, pages: [{ origin, text: lines.join('\n') }] };
  }
  if (output === null || output === undefined) return { said: 'ok' };
  return { pages: [{ origin, text: typeof output === 'string' ? output : visibleJson(output) }] };
}
