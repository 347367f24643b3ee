import type { Conversation, ConversationInput } from './conversation.ts';

export type ControlInput = Exclude<
  ConversationInput,
  {
    type:
      | 'event'
      | 'snapshot'
      | 'older_page'
      | 'recalled'
      | 'history_state'
      | 'greeting'
      | 'sent'
      | 'held'
      | 'append'
      | 'checking'
      | 'delta'
      | 'refused'
      | 'forgotten'
      | 'closed';
  }
>;

/** Folds a person's actions and their results that no event reports. */
export function foldControl(
  conversation: Conversation,
  input: ControlInput,
): Partial<Omit<Conversation, 'entries'>> {
  switch (input.type) {
    case 'prompt_answering':
      return {
        prompts: changedIn(conversation.prompts, input.prompt_id, ({ problem: _, ...prompt }) => ({
          ...prompt,
          answering: input.choice_id,
        })),
      };
    case 'prompt_problem':
      return {
        prompts: input.isOver
          ? without(conversation.prompts, input.prompt_id)
          : changedIn(conversation.prompts, input.prompt_id, ({ answering: _, ...prompt }) => ({
              ...prompt,
              problem: input.problem,
            })),
      };
    case 'question_answering':
      return {
        questions: changedIn(conversation.questions, input.question_id, ({ problem: _, ...question }) => ({
          ...question,
          answering: true,
        })),
      };
    case 'question_problem':
      return {
        questions: changedIn(conversation.questions, input.question_id, ({ answering: _, ...question }) => ({
          ...question,
          problem: input.problem,
        })),
      };
    case 'question_over':
      return { questions: without(conversation.questions, input.question_id) };
    case 'stop_asked':
      return { stop: { pending: true } };
    case 'stop_ended':
      return { stop: { pending: false, ...(input.problem !== undefined && { problem: input.problem }) } };
    case 'model_asked':
      return { model: { wanted: input.model_id } };
    case 'model_refused':
      return { model: { problem: input.problem } };
    case 'mode_asked':
      return { mode: { wanted: input.mode_id } };
    case 'mode_refused':
      return { mode: { problem: input.problem } };
  }
}

function changedIn<Value>(
  map: ReadonlyMap<string, Value>,
  id: string,
  change: (value: Value) => Value,
): ReadonlyMap<string, Value> {
  const found = map.get(id);
  return found === undefined ? map : new Map(map).set(id, change(found));
}

export function without<Value>(map: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> {
  if (!map.has(id)) return map;
  const rest = new Map(map);
  rest.delete(id);
  return rest;
}
