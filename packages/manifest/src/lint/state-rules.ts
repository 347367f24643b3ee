import { isObject, type Manifest } from '@drawbridge/protocol/manifest';
import { entriesOf } from '../state/precondition.ts';
import { find, press, toolOf, verify } from './example.ts';
import { POINTS_AT_PAGE } from './primitive-facts.ts';
import type { LintRule } from './rule.ts';
import { lastChange, stepsOf, workflowsOf } from './workflow-view.ts';

const STATE = { name: 'cart_open', diagnostics: [{ name: 'drawer', target: { selector: '#cart' } }] };
const STEPS = [find('#pay'), press(), verify('.receipt')];

const missingState: LintRule = {
  code: 'missing_required_state_assertion',
  severity: 'minor',
  summary: 'A tool changes the page and requires no state of the map.',
  why: 'An agent can call it on any page. On the wrong page, the same selector is another element.',
  bad: { states: [STATE], tools: [toolOf(STEPS)] },
  good: { states: [STATE], tools: [toolOf(STEPS, { target: { selector: '#pay', state: 'cart_open' } })] },
  *find(map) {
    const seen = new Set(
      (map.states ?? []).flatMap(({ name, diagnostics = [] }) => (diagnostics.length > 0 ? [name] : [])),
    );
    if (seen.size === 0) return;
    for (const view of workflowsOf(map)) {
      const asked = [view.tool.target?.state, ...startsOf(view.tool.name, map)];
      if (lastChange(view) !== undefined && !asked.some((state) => state !== undefined && seen.has(state)))
        yield {
          path: view.path,
          message: 'can be called in any state; name the one it needs in target.state or in a transition',
        };
    }
  },
};

const startsOf = (tool: string, { transitions = [] }: Manifest) =>
  transitions.filter((transition) => transition.tool === tool).map(({ from }) => from);

const prosePrecondition: LintRule = {
  code: 'prose_precondition_without_state_assertion',
  severity: 'minor',
  summary: 'A precondition is prose, not a state.',
  why: 'A runtime cannot check prose. The agent sees it and may ignore it.',
  bad: {
    states: [STATE],
    tools: [toolOf(STEPS)],
    transitions: [{ name: 'pay', tool: 'cart.add', preconditions: ['The cart must be open.'] }],
  },
  good: {
    states: [STATE],
    tools: [toolOf(STEPS)],
    transitions: [
      { name: 'pay', tool: 'cart.add', preconditions: ['The cart must be open.', { state: 'cart_open' }] },
    ],
  },
  *find({ transitions = [], states = [] }) {
    for (const [index, { preconditions, from }] of transitions.entries()) {
      const entries = entriesOf(preconditions);
      const isState = (entry: unknown) =>
        isObject(entry) ? 'state' in entry : states.some(({ name }) => name === entry);
      if (entries.length > 0 && from === undefined && !entries.some(isState))
        yield {
          path: ['transitions', index, 'preconditions'],
          message: 'is only prose; declare a state with diagnostics and name it here',
        };
    }
  },
};

const OVERLAY_OFF = new Set(['overlay.menu.hide', 'overlay.close']);

const overlayInvariant: LintRule = {
  code: 'missing_overlay_invariant',
  severity: 'minor',
  summary: 'A workflow opens an overlay and then points at the page below it.',
  why: 'The overlay receives the click.',
  bad: {
    tools: [
      toolOf([
        { id: 'show', primitive: 'overlay.open', args: { html: '<p>Adding</p>' } },
        find('#add'),
        press(),
        verify('#cart-count'),
      ]),
    ],
  },
  good: {
    tools: [
      toolOf([
        { id: 'show', primitive: 'overlay.open', args: { html: '<p>Adding</p>' } },
        { id: 'hide', primitive: 'overlay.close' },
        find('#add'),
        press(),
        verify('#cart-count'),
      ]),
    ],
  },
  *find(map) {
    for (const { step, path, earlier } of stepsOf(map)) {
      if (!POINTS_AT_PAGE.has(step.primitive)) continue;
      const last = earlier.findLast(({ primitive }) => primitive.startsWith('overlay.'));
      if (last !== undefined && !OVERLAY_OFF.has(last.primitive))
        yield {
          path,
          message: `points at the page while the overlay of step \`${last.id}\` may cover it; close or hide that first`,
        };
    }
  },
};

export const STATE_RULES: readonly LintRule[] = [missingState, prosePrecondition, overlayInvariant];
