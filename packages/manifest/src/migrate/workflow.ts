import { isObject, Workflow, WorkflowStep } from '@drawbridge/protocol/manifest';
import { checkExpression } from '../expression/source.ts';
import { nearest } from '../validate/nearest.ts';
import {
  asFields,
  type Fields,
  replaceField,
  short,
  type Upgrade,
  unusedName,
  withoutFields,
} from './change.ts';

/** Moves fields that a workflow does not define up to its tool. */
export const upgradeWorkflow: Upgrade = (tool, path, note) => {
  const { workflow } = tool;
  if (!isObject(workflow)) return tool;
  const here = [...path, 'workflow'];
  const current = upgradeLanguage(upgradeWorkflowVersion(workflow, here, note), here, note);
  const steps = current['steps'];
  const inside = !Array.isArray(steps)
    ? current
    : {
        ...current,
        steps: steps.map((step, index) =>
          isObject(step)
            ? STEP_UPGRADES.reduce(
                (next, upgrade) => upgrade(next, [...here, 'steps', index], note),
                asFields(step),
              )
            : step,
        ),
      };
  const moved = movable(inside, Object.keys(Workflow.properties));
  let lifted: Fields = tool;
  for (const key of moved) {
    const kept = unusedName(lifted, key);
    note(
      [...here, key],
      `moves up to the tool as ${kept}`,
      'a workflow is closed: a field it does not know is refused, an x_ field included',
    );
    lifted = { ...lifted, [kept]: inside[key] };
  }
  return liftStepComments({ ...lifted, workflow: withoutFields(inside, moved) }, path, note);
};

const upgradeWorkflowVersion: Upgrade = (workflow, path, note) => {
  const { version } = workflow;
  if (version === 1 || (version !== undefined && !['1', '1.0', '0.1', '0.1.0'].includes(String(version))))
    return workflow;
  note(
    [...path, 'version'],
    `${version === undefined ? 'nothing' : short(version)} becomes 1`,
    'the version of a workflow is the number 1',
  );
  return { version: 1, ...withoutFields(workflow, ['version']) };
};

const upgradeLanguage: Upgrade = (workflow, path, note) => {
  const language = workflow['expression_language'];
  if (language === 'jsonata' || (language !== undefined && String(language).toLowerCase() !== 'jsonata'))
    return workflow;
  note(
    [...path, 'expression_language'],
    `${language === undefined ? 'nothing' : short(language)} becomes "jsonata"`,
    'it is the only language of expressions, and every workflow names it',
  );
  return { ...workflow, expression_language: 'jsonata' };
};

/** Wraps bare expressions in fields that allow only expressions. */
const wrapExpressions: Upgrade = (step, path, note) => {
  let next = step;
  for (const key of ['when', 'for_each', 'retry_until']) {
    const text = next[key];
    if (typeof text !== 'string' || text.includes('{%') || checkExpression(text) !== undefined) continue;
    note(
      [...path, key],
      `${short(text)} is put into {% … %}`,
      'only a whole {% … %} is evaluated; a bare text would always count as true',
    );
    next = replaceField(next, key, key, `{% ${text} %}`);
  }
  return next;
};

/** That project stores any value, and has an instruction for its log. Drawbridge logs no value of transfer.write. */
const upgradeTransfer: Upgrade = (step, path, note) => {
  const args = asFields(step['args']);
  const { value, redaction } = args;
  if (step['primitive'] !== 'transfer.write') return step;
  let next = args;
  if (redaction !== undefined) {
    note(
      [...path, 'args', 'redaction'],
      'is left out',
      'transfer.write takes none: its values are in no log',
    );
    next = withoutFields(next, ['redaction']);
  }
  const expression = typeof value === 'string' ? WHOLE_EXPRESSION.exec(value)?.[1] : undefined;
  const isText = expression === undefined || expression.startsWith('$string(');
  if (args['format'] === 'application/json' && !isText) {
    note([...path, 'args', 'value'], 'becomes $string of it', 'transfer.write stores text');
    next = replaceField(next, 'value', 'value', `{% $string(${expression}) %}`);
  }
  return next === args ? step : replaceField(step, 'args', 'args', next);
};

/** That project scrolls what `scope` names, and reads no `selector` beside it. */
const upgradeScroll: Upgrade = (step, path, note) => {
  const args = asFields(step['args']);
  const { after_each } = step;
  const next = isObject(after_each)
    ? replaceField(step, 'after_each', 'after_each', upgradeScroll(after_each, [...path, 'after_each'], note))
    : step;
  if (step['primitive'] !== 'viewport.scroll' || !('selector' in args)) return next;
  note(
    [...path, 'args', 'selector'],
    'is left out',
    'viewport.scroll scrolls the page unless it has a scope',
  );
  return replaceField(next, 'args', 'args', withoutFields(args, ['selector']));
};

const STEP_UPGRADES: readonly Upgrade[] = [wrapExpressions, upgradeTransfer, upgradeScroll];

const WHOLE_EXPRESSION = /^\{%\s*([^{}%]+?)\s*%\}$/;

const COMMENT_FIELDS = ['notes', 'note', 'comment', 'description', 'title', 'label', 'why'];

/** Data and descriptions. Any other unknown field may be a misspelt one that should have an effect. */
const movable = (part: Fields, known: readonly string[]): string[] =>
  Object.keys(part).filter(
    (key) =>
      !known.includes(key) &&
      (key.startsWith('x_') || (COMMENT_FIELDS.includes(key) && nearest(key, known) === undefined)),
  );

const liftStepComments: Upgrade = (tool, path, note) => {
  const workflow = asFields(tool['workflow']);
  const steps = workflow['steps'];
  if (!Array.isArray(steps)) return tool;
  const notes: Record<string, Fields> = {};
  const kept = unusedName(tool, 'step_notes');
  const stripped = steps.map((step, index) => {
    const keys = isObject(step) ? movable(step, Object.keys(WorkflowStep.properties)) : [];
    if (!isObject(step) || keys.length === 0) return step;
    notes[String(step['id'] ?? index)] = Object.fromEntries(keys.map((key) => [key, step[key]]));
    for (const key of keys)
      note(
        [...path, 'workflow', 'steps', index, key],
        `moves up to the tool, into ${kept}`,
        'a step is closed: a field it does not know is refused',
      );
    return withoutFields(step, keys);
  });
  if (Object.keys(notes).length === 0) return tool;
  return { ...tool, workflow: { ...workflow, steps: stripped }, [kept]: notes };
};
