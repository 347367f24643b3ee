import type { OutputOf } from '@drawbridge/protocol/primitives';
import { formatDiffLines, formatLines, type SemanticNode } from '@drawbridge/protocol/semantic';
import type { ActEffect } from './task-page.ts';

type ElementOutput = OutputOf<'element.click'>;
type Node = ElementOutput['effect']['added'][number];

/** The observation of an element primitive as a task's effect. */
export function effectOfElement(output: ElementOutput): ActEffect {
  const { effect, healed, reads, clientObservations } = output;
  return {
    happened: effect.happened,
    ...clientObservations,
    changes: changeLines(effect),
    events: [
      ...told('Dialog', effect.dialogs),
      ...told('Error', effect.errors),
      ...told('Success', effect.successes),
      ...told('Says', effect.messages),
    ],
    passed: output.verification_passed,
    message: output.verification_message,
    errors: output.errors_detected,
    successes: output.success_messages,
    ...(reads !== undefined && { answer: reads }),
    ...(healed !== undefined && { healed: { to: healed.to, by: 'likeness' as const } }),
  };
}

/** The effect of an action that was not watched in the page. */
export const plainEffect = (
  message: string,
  more: Partial<ActEffect> & Pick<ActEffect, 'didUrlChange'>,
): ActEffect => ({
  happened: true,
  changes: [],
  events: [],
  passed: true,
  message,
  errors: [],
  successes: [],
  ...more,
});

const told = (kind: string, texts: readonly string[]): string[] => texts.map((text) => `${kind}: '${text}'`);

function changeLines({ added, removed, changed }: ElementOutput['effect']): string[] {
  return [
    ...added.map((node) => `+${lineOf(node)}`),
    ...removed.map((node) => `-${lineOf(node)}`),
    ...changed.map(({ i, ...set }) =>
      formatDiffLines({ added: [], removed: [], changed: [{ i: String(i), set: textsOf(set) }], moved: [] }),
    ),
  ];
}

const lineOf = (node: Node): string => formatLines([nodeFrom(node)]);

const textsOf = (fields: Node): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );

function nodeFrom(node: Node): SemanticNode {
  const { i = '', r = '', n = '', ...more } = textsOf(node);
  const { v, s } = more;
  return { i, r, n, ...(v !== undefined && { v }), ...(s !== undefined && { s }) };
}
