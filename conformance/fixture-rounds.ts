import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FixtureTool } from './fixture-tools.ts';

/** Seals the state of a call between its rounds, as our own server does. */
export const ROUNDS = createRequestStateCodec<{ readonly round: number }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

const ask = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  });

const askModel = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });

const NAME = { user_name: ask('Your name?', 'name') };
const CONFIRM = {
  confirm: inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  }),
};

/** Rounds in order: each asks until its keys are answered, and the last answer ends the call. */
const rounds = (
  asked: readonly InputRequests[],
  { seals = false, says = 'Answered: state-ok.' }: { readonly seals?: boolean; readonly says?: string } = {},
): FixtureTool => ({
  description: 'Asks in rounds.',
  async run(_args, { mcpReq }) {
    const { round = 0 } = mcpReq.requestState<{ readonly round: number }>() ?? {};
    const next = isAnswered(asked[round], mcpReq.inputResponses) ? round + 1 : round;
    const inputRequests = asked[next];
    if (inputRequests === undefined) return { content: [{ type: 'text', text: says }] };
    return inputRequired({
      inputRequests,
      ...(seals && { requestState: await ROUNDS.mint({ round: next }) }),
    });
  },
});

export const isAnswered = (
  asked: InputRequests | undefined,
  given: Readonly<Record<string, unknown>> | undefined,
): boolean => Object.keys(asked ?? {}).every((key) => given !== undefined && Object.hasOwn(given, key));

/** Whether the client of this request declares a capability. */
const can = ({ mcpReq }: ServerContext, capability: string): boolean =>
  Object.hasOwn(Object(Reflect.get(Object(mcpReq.envelope), CLIENT_CAPABILITIES_META_KEY)), capability);

export const PROMPT_INPUT = { user_context: ask('Which context should the prompt use?', 'context') };

/** The tools of the suite for 2026-07-28. */
export const ROUND_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_input_required_result_elicitation: rounds([NAME]),
  test_input_required_result_sampling: rounds([
    { capital_question: askModel('Name the capital of France.') },
  ]),
  test_input_required_result_list_roots: rounds([{ client_roots: inputRequired.listRoots() }]),
  test_input_required_result_request_state: rounds([CONFIRM], { seals: true }),
  test_input_required_result_tampered_state: rounds([CONFIRM], { seals: true }),
  test_input_required_result_multiple_inputs: rounds(
    [{ ...NAME, greeting: askModel('Generate a greeting'), client_roots: inputRequired.listRoots() }],
    { seals: true },
  ),
  test_input_required_result_multi_round: rounds(
    [
      { step1: ask('Step 1: What is your name?', 'name') },
      { step2: ask('Step 2: What is your favorite color?', 'color') },
    ],
    { seals: true },
  ),
  test_input_required_result_capabilities: {
    description: 'Asks only for what the client can do.',
    run: (_args, ctx) =>
      inputRequired({
        inputRequests: {
          ...(can(ctx, 'elicitation') && NAME),
          ...(can(ctx, 'sampling') && { greeting: askModel('Generate a greeting') }),
        },
      }),
  },
  test_streaming_elicitation: rounds([NAME]),
  test_missing_capability: {
    description: 'Needs a client with a model.',
    run(_args, ctx) {
      if (!can(ctx, 'sampling'))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      return { content: [{ type: 'text', text: 'The client has a model.' }] };
    },
  },
  test_logging_tool: {
    description: 'Logs.',
    async run(_args, { mcpReq }) {
      await mcpReq.log('info', 'Logged.');
      return { content: [{ type: 'text', text: 'Done.' }] };
    },
  },
};
