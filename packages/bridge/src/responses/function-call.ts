import {
  type ActionCall,
  type ActionCallOutput,
  type ActionError,
  BridgeError,
  bridge,
} from '@drawbridge/protocol';
import { isObject, LIMITS, readJson } from '@drawbridge/protocol/manifest';
import type { FunctionNames } from './function-names.ts';

/** A function call of a Responses model; other fields (`id`, `status`) are its own. */
export interface FunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  /** JSON as the model wrote it. */
  readonly arguments: string;
}

export interface FunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string;
}

/** Target and timeout of a model's calls, which a function call cannot express. */
export type CallRoute = Omit<ActionCall, 'type' | 'call_id' | 'name' | 'arguments'>;

/** Throws a BridgeError when the function was not offered, or the arguments are not a JSON object. */
export function actionCallOf(call: FunctionCall, names: FunctionNames, route: CallRoute = {}): ActionCall {
  const name = names.toAction(call.name);
  if (name === undefined) {
    throw new BridgeError('unknown_action', `There is no function ${call.name}. Call one that was offered.`, {
      evidence: { name: call.name },
    });
  }
  const json = readJson(call.arguments, LIMITS.frame.value);
  if (!json.ok || !isObject(json.value)) {
    const why = json.ok ? 'is JSON of another kind' : json.problem.message;
    throw new BridgeError(
      'invalid_input',
      `The arguments of ${call.name} must be one JSON object: the text ${why}. Write them again.`,
      { evidence: { path: 'arguments', name } },
    );
  }
  return { ...route, type: 'action_call', call_id: call.call_id, name, arguments: json.value };
}

/** The inverse, for a record of calls. */
export function functionCallOf(call: ActionCall, names: FunctionNames): FunctionCall {
  const name = names.toFunction(call.name) ?? call.name;
  const { call_id } = call;
  return { type: 'function_call', call_id, name, arguments: JSON.stringify(call.arguments) };
}

/** The answer for the model: the JSON of an output, or of the whole error item. */
export function functionCallOutputOf(
  answer: ActionCallOutput | (ActionError & { readonly call_id: string }),
): FunctionCallOutput {
  const { call_id } = answer;
  const content = answer.type === 'action_error' ? answer : answer.output;
  return { type: 'function_call_output', call_id, output: JSON.stringify(content ?? null) };
}

/** The inverse; the adapter remembers which runtime answered. */
export function answerOf(output: FunctionCallOutput, runtime_id: string): ActionCallOutput | ActionError {
  const { call_id } = output;
  const content: unknown = JSON.parse(output.output);
  if (isObject(content) && content['type'] === 'action_error' && content['call_id'] === call_id) {
    const item = bridge.read(content);
    if (item.type === 'action_error') return item;
  }
  return { type: 'action_call_output', call_id, runtime_id, output: content };
}
