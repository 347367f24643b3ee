import { isObject } from '@drawbridge/protocol/manifest';
import { nearest } from '../validate/nearest.ts';
import { find, press, toolOf, verify } from './example.ts';
import { ACTS_ON_PAGE, INSERTS_TEXT, OUTPUT_FIELDS, POINTS_AT_PAGE } from './primitive-facts.ts';
import type { LintRule } from './rule.ts';
import { expressionsOf, stepsOf, workflowsOf } from './workflow-view.ts';

const brittleGeometry: LintRule = {
  code: 'brittle_viewport_geometry',
  severity: 'major',
  summary: 'A step points at fixed coordinates.',
  why: 'Coordinates depend on the window and the content. In another window, the same point is another control.',
  bad: { tools: [toolOf([find('#add'), press({ args: { x: 412, y: 230 } }), verify('#cart-count')])] },
  good: { tools: [toolOf([find('#add'), press(), verify('#cart-count')])] },
  *find(map) {
    for (const { step, path } of stepsOf(map)) {
      if (!POINTS_AT_PAGE.has(step.primitive)) continue;
      const points = [
        { point: step.args, path: [...path, 'args'] },
        ...['from', 'to'].map((key) => ({ point: step.args?.[key], path: [...path, 'args', key] })),
      ];
      for (const { point, path: place } of points) {
        if (isObject(point) && (typeof point['x'] === 'number' || typeof point['y'] === 'number'))
          yield {
            path: place,
            message: 'points at fixed coordinates; take them from a step that finds the element',
          };
      }
    }
  },
};

const ambientInsert: LintRule = {
  code: 'ambient_text_insert',
  severity: 'major',
  summary: 'Text is typed into the focused element, whichever that is.',
  why: 'A chat or dialog that opened gets the text, and Enter may send it.',
  bad: {
    tools: [
      toolOf([
        find('#comment'),
        { id: 'write', primitive: 'text.insert', args: { text: '{% input.text %}' } },
        verify('.draft'),
      ]),
    ],
  },
  good: {
    tools: [
      toolOf([
        { id: 'focus', primitive: 'dom.focus', args: { locator: { selector: '#comment' } } },
        { id: 'write', primitive: 'text.insert', args: { text: '{% input.text %}' } },
        verify('.draft'),
      ]),
    ],
  },
  *find(map) {
    for (const { step, path, earlier } of stepsOf(map)) {
      if (!INSERTS_TEXT.has(step.primitive) || step.args?.['target'] !== undefined) continue;
      if (!['dom.focus', 'element.click', 'pointer.click'].includes(earlier.at(-1)?.primitive ?? ''))
        yield {
          path,
          message: 'types without saying where; give it a `target`, or focus the field in the step before',
        };
    }
  },
};

const retryMismatch: LintRule = {
  code: 'retry_condition_mismatch',
  severity: 'major',
  summary: 'A retry condition does not depend on its step.',
  why: 'The condition reads another step, whose output does not change, so it holds at once or never.',
  bad: {
    tools: [
      toolOf([
        find('#list'),
        {
          id: 'look',
          primitive: 'dom.observe.visible',
          retry_until: '{% steps.find.output.clickable %}',
          max_attempts: 5,
        },
      ]),
    ],
  },
  good: {
    tools: [
      toolOf([
        {
          id: 'look',
          primitive: 'dom.observe.visible',
          retry_until: '{% steps.look.output.match_count > 0 %}',
          max_attempts: 5,
        },
      ]),
    ],
  },
  *find(map) {
    for (const { step, path } of stepsOf(map)) {
      if (
        step.retry_until !== undefined &&
        !step.retry_until.includes(step.id) &&
        !CONSTANT.test(step.retry_until)
      )
        yield {
          path: [...path, 'retry_until'],
          message: `does not read steps.${step.id}, the only thing that changes between attempts`,
        };
    }
  },
};

const CONSTANT = /^\{%\s*(true|false|1|0)\s*%\}$/;

const disarmedRetry: LintRule = {
  code: 'disarmed_retry_loop',
  severity: 'major',
  summary: 'A retry cannot do its work: one attempt, or a condition that never changes.',
  why: 'The step looks like a retry and is none: the first attempt decides.',
  bad: {
    tools: [
      toolOf([
        {
          id: 'look',
          primitive: 'dom.observe.visible',
          retry_until: '{% steps.look.output.match_count > 0 %}',
          max_attempts: 1,
        },
      ]),
    ],
  },
  good: {
    tools: [
      toolOf([
        {
          id: 'look',
          primitive: 'dom.observe.visible',
          retry_until: '{% steps.look.output.match_count > 0 %}',
          max_attempts: 5,
          on_error: 'continue',
        },
      ]),
    ],
  },
  *find(map) {
    for (const { step, path } of stepsOf(map)) {
      if (step.retry_until === undefined) continue;
      if (step.max_attempts === 1)
        yield { path: [...path, 'max_attempts'], message: 'is 1, so that nothing is ever tried again' };
      if (CONSTANT.test(step.retry_until))
        yield {
          path: [...path, 'retry_until'],
          message: 'is a constant, so that trying again changes nothing',
        };
    }
  },
};

const actingAfterEach: LintRule = {
  code: 'acting_after_each',
  severity: 'major',
  summary: 'A retry acts on the page between its attempts.',
  why: '`after_each` runs once for each attempt, without a condition: a click there is repeated up to `max_attempts` times.',
  bad: {
    tools: [
      toolOf([
        find('#more'),
        {
          id: 'look',
          primitive: 'dom.observe.visible',
          retry_until: '{% steps.look.output.match_count > 0 %}',
          max_attempts: 5,
          after_each: { primitive: 'pointer.click', args: press().args ?? {} },
        },
      ]),
    ],
  },
  good: {
    tools: [
      toolOf([
        {
          id: 'look',
          primitive: 'dom.observe.visible',
          retry_until: '{% steps.look.output.match_count > 0 %}',
          max_attempts: 5,
          after_each: { primitive: 'viewport.scroll', args: { delta_y: 600 } },
        },
      ]),
    ],
  },
  *find(map) {
    for (const { step, path } of stepsOf(map)) {
      const primitive = step.after_each?.primitive;
      if (primitive !== undefined && ACTS_ON_PAGE.has(primitive))
        yield {
          path: [...path, 'after_each', 'primitive'],
          message: `is ${primitive}, which acts after every attempt; only wait, look or scroll there`,
        };
    }
  },
};

const HIDDEN = new Set<unknown>(['hidden', 'detached', 'absent', 'gone']);

const hiddenState: LintRule = {
  code: 'unsupported_hidden_state',
  severity: 'major',
  summary: 'A step waits for an element to be hidden or gone, which no runtime supports.',
  why: 'Only `attached` and `visible` are supported. The step fails or times out.',
  bad: {
    tools: [
      toolOf([
        {
          id: 'wait',
          primitive: 'locator.wait_for',
          args: { locator: { selector: '.spinner' }, state: 'hidden' },
        },
      ]),
    ],
  },
  good: {
    tools: [
      toolOf([
        {
          id: 'wait',
          primitive: 'dom.observe.visible',
          args: { selector: '.spinner' },
          retry_until: '{% steps.wait.output.match_count = 0 %}',
          max_attempts: 10,
        },
      ]),
    ],
  },
  *find(map) {
    for (const { step, path } of stepsOf(map)) {
      if (HIDDEN.has(step.args?.['state']))
        yield {
          path: [...path, 'args', 'state'],
          message:
            'can be `attached` or `visible` only; wait with dom.observe.visible and a retry until nothing is left',
        };
    }
  },
};

const NULL_COMPARISON = /(?:!?=\s*null\b|\bnull\s*!?=)/;

const invertedAbsence: LintRule = {
  code: 'inverted_absence_check',
  severity: 'major',
  summary: 'An expression compares with `null` to test whether a value exists.',
  why: 'A missing path is neither equal nor unequal to null: both are false, so the condition is inverted without an error.',
  bad: {
    tools: [
      toolOf([find('#add'), press({ when: '{% steps.find.output != null %}' }), verify('#cart-count')]),
    ],
  },
  good: {
    tools: [
      toolOf([find('#add'), press({ when: '{% $exists(steps.find.output) %}' }), verify('#cart-count')]),
    ],
  },
  *find(map) {
    for (const view of stepsOf(map)) {
      for (const { text, path } of expressionsOf(view)) {
        if (NULL_COMPARISON.test(text))
          yield {
            path,
            message: 'compares with null, which is false for a missing path either way; use $exists(…)',
          };
      }
    }
  },
};

const OUTPUT_PATH = /\bsteps\.([A-Za-z][\w-]*)\.output\.([A-Za-z]\w*)/g;

const unknownOutput: LintRule = {
  code: 'unknown_primitive_output_field',
  severity: 'major',
  summary: 'An expression reads a field that the step’s primitive does not return.',
  why: 'JSONata returns nothing for it, without an error: coordinates become empty and a later step fails.',
  bad: {
    tools: [
      toolOf([
        find('#add'),
        press({ args: { x: '{% steps.find.output.center.x %}', y: '{% steps.find.output.center.y %}' } }),
        verify('#cart-count'),
      ]),
    ],
  },
  good: { tools: [toolOf([find('#add'), press(), verify('#cart-count')])] },
  *find(map) {
    for (const { steps } of workflowsOf(map)) {
      const fields = new Map(
        steps.map(({ step }) => [
          step.id,
          step.for_each === undefined ? OUTPUT_FIELDS[step.primitive] : undefined,
        ]),
      );
      for (const { text, path } of steps.flatMap(expressionsOf)) {
        for (const [, id = '', field = ''] of text.matchAll(OUTPUT_PATH)) {
          const known = fields.get(id);
          if (known === undefined || known.includes(field)) continue;
          const near = nearest(field, known);
          const suggestion = near === undefined ? {} : { suggestion: `did you mean \`${near}\`?` };
          yield {
            path,
            message: `reads \`${field}\` of the step \`${id}\`, which its primitive does not give`,
            ...suggestion,
          };
        }
      }
    }
  },
};

export const STEP_RULES: readonly LintRule[] = [
  brittleGeometry,
  ambientInsert,
  retryMismatch,
  disarmedRetry,
  actingAfterEach,
  hiddenState,
  invertedAbsence,
  unknownOutput,
];
