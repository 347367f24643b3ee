import { DEFAULT_SUMMARY } from '../projection/state-summary.ts';

export const SITE_MODES = ['list', 'call', 'state_read', 'state_summary', 'state_diff'] as const;

export type SiteMode = (typeof SITE_MODES)[number];

export const DEFAULT_TIMEOUT_MS = 30_000;

/** The single tool for everything that a site's map offers. */
export const SITE_TOOL = {
  name: 'actions.site',
  description:
    "Use what the current site's map declares. `list` says what there is; `call` runs an action; " +
    '`state_summary` and `state_read` tell what the page shows; `state_diff` tells what changed since the ' +
    'last one. Start with `list`.',
  input_schema: {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: [...SITE_MODES], description: 'The operation.' },
      action: { type: 'string', description: 'call: the name of an action, as `list` gives it.' },
      arguments: {
        type: 'object',
        description: "call: the action's arguments, as its input_schema asks for.",
      },
      projection_name: { type: 'string', description: 'state_*: the name of a projection.' },
      summary_name: {
        type: 'string',
        default: DEFAULT_SUMMARY,
        description: 'state_summary: which of its summaries.',
      },
      max_bytes: { type: 'integer', minimum: 1, description: 'state_*: the most that may come back.' },
      target_runtime_id: { type: 'string', description: 'Which runtime, when several are connected.' },
      target_url_contains: { type: 'string', description: 'Or: a part of the address of its page.' },
      timeout_ms: {
        type: 'integer',
        minimum: 1,
        default: DEFAULT_TIMEOUT_MS,
        description: 'How long it may take.',
      },
    },
  },
} as const;
