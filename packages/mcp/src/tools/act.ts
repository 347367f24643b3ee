import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { InputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import type { Answer } from '../answer/answer.ts';
import { type ActionReport, reportOf } from '../answer/effect-lines.ts';
import { errorAnswer } from '../answer/error-answer.ts';
import { originOf } from '../answer/fence.ts';
import { isCallFailure } from '../call-failure.ts';
import { type TabRoute, tabRoute, urlOf } from '../lent-tabs.ts';
import { listAt, textAt } from '../loose-value.ts';
import { arrival } from './snapshot.ts';
import { ACTS, type Fields, TAB, type Tool, type ToolContext } from './tool.ts';
import { fileOf } from './uploaded-file.ts';

interface PrimitiveCall {
  readonly name: PrimitiveName;
  readonly arguments: Fields;
}

const primitive = <Name extends PrimitiveName>(name: Name, args: InputOf<Name>): PrimitiveCall => ({
  name,
  arguments: { ...args },
});

/** Each kind of step as a primitive with its element and value. */
const KINDS = {
  click: ({ id }) => primitive('element.click', { id }),
  double_click: ({ id }) => primitive('element.double_click', { id }),
  hover: ({ id }) => primitive('element.hover', { id }),
  focus: ({ id }) => primitive('element.focus', { id }),
  fill: ({ id, value }) => primitive('element.fill', { id, text: value }),
  type: ({ id, value }) => primitive('element.type', { id, text: value }),
  select: ({ id, value }) => primitive('element.select', { id, choice: { label: value } }),
  check: ({ id }) => primitive('element.check', { id }),
  uncheck: ({ id }) => primitive('element.uncheck', { id }),
  scroll_to: ({ id, value }) => primitive('element.scroll_to', { id, ...scrollOf(value) }),
  drag: ({ id, value }) => primitive('element.drag', { id, to_id: value }),
  keys: ({ id, value }) => primitive('element.keys', { ...(id !== '' && { id }), keys: value.split(' ') }),
  upload: ({ id, value, file }) => primitive('element.upload', { id, files: [fileOf(value, file)] }),
  accept_dialog: ({ value }) =>
    primitive('browser.dismiss_dialog', { accept: true, ...(value !== '' && { prompt_text: value }) }),
  dismiss_dialog: () => primitive('browser.dismiss_dialog', {}),
} as const satisfies Record<string, (step: Step) => PrimitiveCall>;

type Kind = keyof typeof KINDS;

interface Step {
  readonly kind: Kind;
  readonly id: string;
  readonly value: string;
  readonly file: string;
}

const WITHOUT_ID: ReadonlySet<Kind> = new Set(['keys', 'accept_dialog', 'dismiss_dialog']);
const WITH_VALUE: ReadonlySet<Kind> = new Set(['fill', 'type', 'select', 'drag', 'keys', 'upload']);

/** Names that other tools have for our fields. */
const FIELDS: Readonly<Record<string, 'do' | 'id' | 'value' | 'file'>> = {
  ...{ do: 'do', id: 'id', value: 'value', file: 'file' },
  ...{ ref: 'id', element: 'id', element_id: 'id' },
  ...{ text: 'value', option: 'value', label: 'value', key: 'value', to: 'value' },
  ...{ name: 'file', filename: 'file', path: 'value', attachment_id: 'value' },
};

export const ACT: Tool = {
  name: 'act',
  description:
    'Acts on elements by id, step by step, and says what changed: `+` new, `-` gone, `~` changed nodes, and other visible changes in words. Stops at a step that fails or leaves the page.',
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      steps: {
        type: 'array',
        minItems: 1,
        maxItems: 30,
        items: {
          type: 'object',
          properties: {
            do: { type: 'string', enum: Object.keys(KINDS) },
            id: { type: 'string' },
            value: {
              type: 'string',
              description:
                'fill, type, accept_dialog: text; select: option; drag: target id; keys: `Control+a Enter`; scroll_to inside it: down, up, start, end; upload: text, `data:…;base64,…`, an attachment id (`file_…`), or a path',
            },
            file: { type: 'string', description: 'upload: its name' },
          },
          required: ['do'],
        },
      },
    },
    required: ['steps'],
  },
  annotations: ACTS,
  async handle(args, context) {
    const steps = listAt(args, 'steps').map(stepFrom);
    const route = tabRoute(args, context);
    const reports: ActionReport[] = [];
    for (const [index, step] of steps.entries()) {
      const left = steps.length - index - 1;
      if (reports.some(({ renamed }) => renamed.includes(step.id))) {
        const why = `an earlier step renamed the element of ${wordsOf(step)}. Check it first`;
        return reportAnswer(reports, route, context, notRun(left + 1, why));
      }
      try {
        const report = reportOf(wordsOf(step), step, await act(step, route, context));
        reports.push(report);
        const why = report.leftFor === undefined ? report.stops : 'this is a new page';
        if (why !== undefined) return reportAnswer(reports, route, context, notRun(left, why));
      } catch (error) {
        if (!isCallFailure(error) || reports.length === 0) throw error;
        return afterFailure(reports, wordsOf(step), error, notRun(left, 'this one failed'), context);
      }
    }
    return reportAnswer(reports, route, context, '');
  },
};

async function act(step: Step, route: TabRoute, { call }: ToolContext): Promise<unknown> {
  const made = KINDS[step.kind](step);
  try {
    return (await call({ ...made, route })).output;
  } catch (error) {
    // A page shows labels; some maps and agents use the value behind one.
    const isNoLabel = isCallFailure(error) && error.error.evidence['reason'] === 'not_a_choice';
    if (step.kind !== 'select' || !isNoLabel) throw error;
    const byValue = primitive('element.select', { id: step.id, choice: { value: step.value } });
    return (await call({ ...byValue, route })).output;
  }
}

async function reportAnswer(
  reports: readonly ActionReport[],
  route: TabRoute,
  context: ToolContext,
  rest: string,
): Promise<Answer> {
  const leftFor = reports.at(-1)?.leftFor;
  const { pages = [], next } = leftFor === undefined ? {} : await arrival(context, route, leftFor);
  return {
    said: reports.map((report) => report.said).join('; '),
    pages: [
      { origin: originOf(route.view && urlOf(route.view)), text: linesOf(reports).join('\n') },
      ...pages,
    ],
    ...hint(rest, next),
  };
}

/** Completed steps are reported besides the failed one. */
function afterFailure(
  reports: readonly ActionReport[],
  failed: string,
  error: unknown,
  rest: string,
  { tabs }: ToolContext,
): Answer {
  const answer = errorAnswer(error, tabs());
  const said = `${reports.map((report) => report.said).join('; ')}; ${failed} failed: ${answer.said ?? ''}`;
  const { pages = [], next } = answer;
  const text = linesOf(reports).join('\n');
  return {
    failed: true,
    said,
    pages: [{ origin: pages[0]?.origin ?? 'unknown', text }, ...pages],
    ...hint(rest, next),
  };
}

const notRun = (steps: number, why: string): string =>
  steps === 0 ? '' : `${steps} ${steps === 1 ? 'step' : 'steps'} not run: ${why}.`;

function hint(rest: string, next: string | undefined): Pick<Answer, 'next'> {
  const words = [rest, next ?? ''].filter((part) => part !== '');
  return words.length === 0 ? {} : { next: words.join(' ') };
}

/** Numbered when there are several steps. */
function linesOf(reports: readonly ActionReport[]): string[] {
  return reports.flatMap(({ lines }, index) =>
    reports.length > 1 && lines.length > 0 ? [`step ${index + 1}:`, ...lines] : lines,
  );
}

const wordsOf = ({ kind, id }: Step): string => (id === '' ? kind : `${kind} ${id}`);

function stepFrom(given: unknown): Step {
  const kind = Object.keys(KINDS).find((each): each is Kind => each === textAt(given, 'do'));
  if (kind === undefined) throw new BridgeError('invalid_input', 'Every step says what to `do`.');
  const names = isObject(given) ? Object.keys(given) : [];
  const unknown = names.filter((name) => !Object.hasOwn(FIELDS, name)).map((name) => `\`${name}\``);
  const named = (field: string) => names.filter((name) => FIELDS[name] === field);
  const got = unknown.length === 0 ? '' : `; got ${unknown.join(', ')}`;
  const fail = (why: string) => new BridgeError('invalid_input', `${kind} ${why}`);
  const twice = ['id', 'value', 'file'].map(named).find((same) => same.length > 1);
  if (twice !== undefined) throw fail(`has \`${twice.join('` and `')}\`, which mean the same. Give one.`);
  const textOf = (field: string) => textAt(given, named(field)[0] ?? field);
  const [id = '', value, file = ''] = [textOf('id'), textOf('value'), textOf('file')];
  if (id === '' && !WITHOUT_ID.has(kind))
    throw fail(`needs the \`id\` of an element, as a snapshot gives it${got}.`);
  if (value === undefined && WITH_VALUE.has(kind)) throw fail(`needs \`value\`${got}.`);
  if (unknown.length > 0) throw fail(`takes \`id\`, \`value\` and \`file\`${got}.`);
  return { kind, id, value: value ?? '', file };
}

function scrollOf(value: string): Pick<InputOf<'element.scroll_to'>, 'direction' | 'to'> {
  if (value === 'down' || value === 'up' || value === 'left' || value === 'right')
    return { direction: value };
  return value === 'start' || value === 'end' ? { to: value } : {};
}
