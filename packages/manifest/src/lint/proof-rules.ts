import { isObject } from '@drawbridge/protocol/manifest';
import { readSlot } from '../expression/slot.ts';
import { find, press, toolOf, verify } from './example.ts';
import type { LintRule } from './rule.ts';
import {
  changesPage,
  hasPostcondition,
  lastChange,
  provesItself,
  stepsOf,
  workflowsOf,
} from './workflow-view.ts';

const CART = {
  name: 'shop.cart',
  snapshot: {
    version: 1 as const,
    source: 'dom' as const,
    extract: [{ id: 'items', selector: '#cart li', many: true }],
    projection: { language: 'jsonata' as const, expression: "{% {'items': records.items} %}" },
    output_schema: { type: 'object', required: ['items'] },
  },
};

const missingPostcondition: LintRule = {
  code: 'missing_postcondition',
  severity: 'major',
  summary: 'A tool changes the page and does not verify the result.',
  why: 'A click that missed looks like success, and the agent reports a change that never happened.',
  bad: { tools: [toolOf([find('#add'), press()])] },
  good: { tools: [toolOf([find('#add'), press(), verify("#cart [data-sku='mug']")])] },
  *find(map) {
    for (const view of workflowsOf(map)) {
      if (lastChange(view) !== undefined && !provesItself(view, map))
        yield {
          path: view.path,
          message:
            'changes the page without proof; add a postcondition, or a last step that looks for the effect',
        };
    }
  },
};

const weakPostcondition: LintRule = {
  code: 'weak_postcondition',
  severity: 'major',
  summary: 'A postcondition always holds.',
  why: 'A reviewer sees a verification, but it cannot fail.',
  bad: {
    state_projections: [CART],
    tools: [
      toolOf([find('#add'), press()], {
        workflow: {
          version: 1,
          expression_language: 'jsonata',
          steps: [find('#add'), press()],
          postcondition: { projection: 'shop.cart', verify: '{% true %}' },
        },
      }),
    ],
  },
  good: {
    state_projections: [CART],
    tools: [
      toolOf([find('#add'), press()], {
        workflow: {
          version: 1,
          expression_language: 'jsonata',
          steps: [find('#add'), press()],
          postcondition: { projection: 'shop.cart', verify: '{% $count(state.items) > 0 %}' },
        },
      }),
    ],
  },
  *find({ tools, state_projections = [] }) {
    for (const [index, { workflow }] of tools.entries()) {
      const { postcondition } = workflow ?? {};
      const path = ['tools', index, 'workflow', 'postcondition'];
      const projection = state_projections.find(({ name }) => name === postcondition);
      if (projection !== undefined && projection.snapshot.output_schema === undefined)
        yield {
          path,
          message: `only reads \`${projection.name}\`, which has no output_schema to fail; add one, or a verify expression`,
        };
      if (isObject(postcondition) && !readsState(postcondition['verify']))
        yield {
          path: [...path, 'verify'],
          message: 'does not look at `state`, so that it holds whatever the page shows',
        };
    }
  },
};

function readsState(verify: unknown): boolean {
  const text = isObject(verify) ? verify['expression'] : verify;
  const slot = typeof text === 'string' ? readSlot(text) : undefined;
  return slot?.kind === 'expression' && /\b(state|records)\b/.test(slot.expression);
}

const settleAsGoal: LintRule = {
  code: 'settle_after_asserts_goal_not_surface',
  severity: 'minor',
  summary: 'The last step of a tool only settles on the expected result.',
  why: 'A settle that times out is no failure, by design, so the expected result may never have appeared.',
  bad: { tools: [toolOf([find('#pay'), press({ settle_after: { locator: { selector: '.receipt' } } })])] },
  good: { tools: [toolOf([find('#pay'), press({ settle_after: { delay_ms: 200 } }), verify('.receipt')])] },
  *find(map) {
    for (const view of workflowsOf(map)) {
      const last = view.steps.at(-1);
      if (last?.step.settle_after?.locator === undefined || !changesPage(last.step)) continue;
      if (!hasPostcondition(view, map))
        yield {
          path: [...last.path, 'settle_after'],
          part: 'key',
          message:
            'waits for the goal, and goes on without it; prove it with a step that fails, such as locator.wait_for',
        };
    }
  },
};

const selfSkipping: LintRule = {
  code: 'self_skipping_mutation',
  severity: 'major',
  summary: 'The step that makes the change may be skipped, and the tool still succeeds.',
  why: 'The condition was meant as a guard. When it is false, nothing happens and the agent gets a success.',
  bad: {
    tools: [
      toolOf([find('#add', { on_error: 'continue' }), press({ when: '{% $exists(steps.find.output) %}' })]),
    ],
  },
  good: { tools: [toolOf([find('#add'), press(), verify('#cart-count')])] },
  *find(map) {
    for (const view of workflowsOf(map)) {
      const change = lastChange(view);
      if (change?.step.when === undefined || provesItself(view, map)) continue;
      if (!JSON.stringify(view.workflow.output ?? '').includes(change.step.id))
        yield {
          path: [...change.path, 'when'],
          part: 'key',
          message:
            'can skip the only change, unseen; drop it, prove the effect, or tell in the output whether it ran',
        };
    }
  },
};

const missingReadiness: LintRule = {
  code: 'missing_mutation_readiness',
  severity: 'minor',
  summary: 'A tool changes the page before it reads it.',
  why: 'The control may be missing or covered. The tool works on a fast machine and fails on a slow one.',
  bad: {
    tools: [
      toolOf([{ id: 'save', primitive: 'keyboard.press', args: { key: 'Control+s' } }, verify('.saved')]),
    ],
  },
  good: {
    tools: [
      toolOf([
        verify('.editor'),
        { id: 'save', primitive: 'keyboard.press', args: { key: 'Control+s' } },
        find('.saved'),
      ]),
    ],
  },
  *find(map) {
    for (const { step, path, earlier } of stepsOf(map)) {
      if (!changesPage(step) || earlier.some(changesPage) || step.primitive === 'browser.navigate') continue;
      const targeted = isObject(step.args?.['target']);
      if (!targeted && earlier.length === 0)
        yield {
          path,
          message: 'acts before any step has looked at the page; find or wait for its control first',
        };
    }
  },
};

export const PROOF_RULES: readonly LintRule[] = [
  missingPostcondition,
  weakPostcondition,
  settleAsGoal,
  selfSkipping,
  missingReadiness,
];
