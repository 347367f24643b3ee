import { type Answer, plainSentence, type Question, siteName } from '@drawbridge/protocol';
import { type InputRequest, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { oneLine } from '../answer/fence.ts';
import { textAt } from '../loose-value.ts';

const KEY = 'approval';
const SINCE_ASKED = 'Changed while you were asked. Your yes was not used.';
const SINCE_ALLOWED = 'Changed since you last allowed it.';
const DECISIONS = ['once', 'always', 'deny'] as const;

/** A question as a form that the client shows to its person, never to its model. */
export function formOf(question: Question): { readonly [KEY]: InputRequest } {
  const { sentence, origin, data, effect, page, destination, sends = [], changed } = question;
  const { amounts = [], prices = [], goods = [] } = question;
  const lines = [
    `Allow this at ${oneLine(siteName(origin))}?`,
    oneLine(plainSentence(sentence), 400),
    ...(page === undefined || page.origin === origin ? [] : [`In a frame on: ${oneLine(page.origin)}`]),
    ...(destination === undefined ? [] : [`Sends to: ${oneLine(destination)}`]),
    ...amounts.map((line) => `Amount: ${oneLine(line)}`),
    ...prices.map((line) => `Price on the page: ${oneLine(line)}`),
    ...goods.map((line) => `Goods: ${oneLine(line)}`),
    ...(changed === undefined ? [] : [changed.since === 'allowed' ? SINCE_ALLOWED : SINCE_ASKED]),
    ...(changed?.before ?? []).map((line) => `Before: ${oneLine(line)}`),
    ...(changed?.now ?? []).map((line) => `Now: ${oneLine(line)}`),
    ...sends.map((line) => `Sends: ${oneLine(line)}`),
    ...data.slice(0, 12).map((line) => `· ${oneLine(line)}`),
    ...(effect === 'irreversible' && !sentence.includes('undone') ? ['This can’t be undone.'] : []),
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
            // Approval of one irreversible action does not cover the next.
            enum: DECISIONS.filter((each) => each !== 'always' || effect !== 'irreversible'),
          },
        },
        required: ['decision'],
      },
    }),
  };
}

/** Why the decision in the same responses is a no: only a person's own no is called one. */
export function refusalIn(responses: Record<string, unknown> | undefined): string {
  const response = inputResponse(responses, KEY);
  const isAnswered = response.kind === 'elicit' && response.action !== 'cancel';
  if (!isAnswered) return 'Nobody could be asked: the client returned the question without an answer.';
  if (response.action === 'decline' || textAt(response.content, 'decision') === 'deny')
    return 'The person said no.';
  return 'The client returned an answer that is none of the offered ones.';
}

/** Anything but a clear yes is a no. */
export function decisionIn(responses: Record<string, unknown> | undefined): Answer['decision'] {
  const response = inputResponse(responses, KEY);
  if (response.kind !== 'elicit' || response.action !== 'accept') return 'deny';
  const decision = textAt(response.content, 'decision');
  return DECISIONS.find((each) => each === decision) ?? 'deny';
}
