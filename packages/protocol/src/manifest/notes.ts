import type { TSchema } from 'typebox';
import { type FieldNotes, type NotesOf, note } from '../wire/note.ts';
import * as parts from './manifest.ts';
import { StateProjection } from './projection.ts';
import { Selector, Target } from './target.ts';
import { Workflow, WorkflowStep } from './workflow.ts';

export const MANIFEST_NOTES: NotesOf<typeof parts.MANIFESTS> = {
  manifest: note(
    [['map author', 'runtime']],
    'Declares what a site offers to an agent: tools, states, signals, projections and checks.',
  ),
};

export const MANIFEST_SHAPES = {
  Surface: parts.Surface,
  Import: parts.Import,
  Composition: parts.Composition,
  ContextBlock: parts.ContextBlock,
  Tool: parts.Tool,
  ToolActions: parts.ToolActions,
  selector: Selector,
  Target,
  Workflow,
  WorkflowStep,
  State: parts.State,
  Transition: parts.Transition,
  StateProjection,
  Attachment: parts.Attachment,
  Affordance: parts.Affordance,
  Signal: parts.Signal,
  Check: parts.Check,
} as const satisfies Record<string, TSchema>;

export const MANIFEST_FIELD_NOTES: FieldNotes = {
  'manifest.surface': 'metadata: it grants no permission',
  'manifest.provenance': 'who made, changed and reviewed the map, and when',
  'Import.namespace': "prefix of the import's names, before a dot",
  'Import.trust': '`unknown` when absent',
  'Import.enabled': 'true when absent',
  load_when: 'url predicates, `states` and `targets`; absent, the block matches everywhere',
  'ContextBlock.body': 'guidance for the agent',
  input_schema: 'a JSON Schema; every call is checked against it before anything runs',
  requires: 'primitive capabilities that the host must have',
  'Tool.workflow': 'takes precedence over `x_actions`',
  direction: '`agent_to_html` when absent',
  'Signal.direction': '`html_to_agent` and `bidirectional` are the usual ones',
  handler: "a name in the runtime's own table of handlers, never looked up on the page",
  scope: '`active_surface` when absent',
  'execution.mode':
    '`steps_first` when absent; also `handler_first`, `documentary`, `test_only`; another value gets a warning',
  result_schema: "a JSON Schema of the tool's result",
  effect: 'ours: `irreversible` asks a person first unless a grant names the tool',
  'Target.selector': 'tried first',
  'Target.selectors': 'tried next, in order',
  fallback_selectors: 'tried when the others do not match',
  url_matches: 'a regular expression for a linear-time engine, matched anywhere in the url',
  'Target.state': 'the target matches only while this state is current',
  'Workflow.output': 'the result, with its expressions evaluated after the last step',
  'Workflow.postcondition': 'ours: a projection that must hold afterwards, or the call fails',
  args: 'a string that is one whole `{% … %}` is an expression over `input`, `steps`, `item` and `index`',
  when: 'an expression; the step is skipped when it is false',
  for_each: 'an expression that gives a list; requires `max_items`',
  retry_until: 'an expression; requires `max_attempts`',
  after_each: 'runs between two attempts; requires `retry_until`',
  settle_after: 'exactly one of `locator` and `delay_ms`',
  'settle_after.state': '`visible` when absent',
  'settle_after.timeout_ms': '8,000 when absent; a timeout does not fail the step',
  on_error: '`stop` when absent; a `retry_until` that never holds fails the workflow with either',
  'Transition.method': '`tool_call`, `signal`, `navigation`, `click`, or any other word',
  rate_limit_ms: 'an earlier call waits',
  'snapshot.extract': 'entries with `id` and `selector`, and optionally `many` and `fields`',
  'snapshot.projection.expression': 'computes the state from the extracted records',
  postconditions: 'ours: by tool name, a `verify` expression and a `failure_message`',
  lifecycle: 'the policies `install`, `remove`, `reattach` and `drift`',
  opens: "the tool that runs on activation, as the person's action",
  ingestion: '`disabled_by_default` when absent',
  'Signal.event': 'the DOM event; required when `ingestion` is `enabled`',
  'Signal.payload': "a JSON Schema of the event's detail",
  severity: '`major` when absent; a failed `critical` check stops every tool of the map',
};
