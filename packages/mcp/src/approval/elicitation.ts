import type { Answer, Question } from '@drawbridge/protocol';
import { type InputRequest, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { oneLine } from '../answer/fence.ts';
import { textAt } from '../loose-value.ts';

const KEY = 'approval';
const DECISIONS = ['once', 'always', 'deny'] as const;

/** A question as a form that the client shows to its person: never to its model. */
export function formOf(question: Question): { readonly [KEY]: InputRequest } {
  const { sentence, origin, data, effect } = question;
  const lines = [
    `Allow this at ${oneLine(origin)}?`,
    oneLine(sentence, 400),
    ...data.slice(0, 12).map((line) => `· ${oneLine(line)}`),
    ...(effect === 'irreversible' && !sentence.includes('undone') ? ['It cannot be undone.'] : []),
  ];
  return {
    [KEY]: inputRequired.elicit({
      message: lines.join('\n'),
      requestedSchema: {
        type: 'object',
        properties: {
          decision: {
            type: 'string',
            title: 'Decision',
            description: 'once: this call. always: this action at this site from now on. deny: not at all.',
            // One yes to what cannot be undone says nothing about the next.
            enum: DECISIONS.filter((each) => each !== 'always' || effect !== 'irreversible'),
          },
        },
        required: ['decision'],
      },
    }),
  };
}

/** Anything but a clear yes is a no. */
export function decisionIn(responses: Record<string, unknown> | undefined): Answer['decision'] {
  const response = inputResponse(responses, KEY);
  if (response.kind !== 'elicit' || response.action !== 'accept') return 'deny';
  const decision = textAt(response.content, 'decision');
  return DECISIONS.find((each) => each === decision) ?? 'deny';
}
