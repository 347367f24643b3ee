import { type ContentBlock, methods, RequestError, type StopReason } from '@agentclientprotocol/sdk';
import { plainLine } from '@drawbridge/protocol';
import { refusal } from '../adapter.ts';
import { type AgentProcess, wordsOf } from './agent-process.ts';

/** An agent's turn for one prompt. */
export interface PromptTurn {
  /** Resolves when the agent has the prompt; see `inject` of an `AgentTarget`. */
  readonly taken: Promise<void>;
  /** Marks the prompt as received on other evidence. */
  readonly took: () => void;
  /** Resolves at the end of the turn, with a message to the reader if needed. */
  readonly over: Promise<string | undefined>;
}

/** An unknown method: the error answer proves that everything before it was read. */
const RECEIPT = '_drawbridge/received';

const MAX_REASON = 1_000;

const STOPS: Readonly<Partial<Record<StopReason, string>>> = {
  max_tokens: 'The agent stopped: its answer reached the limit of tokens.',
  max_turn_requests: 'The agent stopped: it reached the limit of requests in one turn.',
  refusal: 'The agent refuses to go on.',
  cancelled: 'Interrupted.',
};

/**
 * `session/prompt` is answered at the end of the turn, possibly hours later, and the first output may take
 * minutes. Requests are read in order, so the answer to a small request behind the prompt proves that it was
 * read.
 */
export function givePrompt(process: AgentProcess, sessionId: string, prompt: ContentBlock[]): PromptTurn {
  const { agent, ended } = process;
  const { promise: taken, resolve: took, reject } = Promise.withResolvers<void>();
  const answer = agent.request(methods.agent.session.prompt, { sessionId, prompt });
  agent.request(RECEIPT, {}).then(
    () => took(),
    (error: unknown) => {
      if (error instanceof RequestError) took();
    },
  );
  const over = answer.then(
    ({ stopReason }) => {
      took();
      return STOPS[stopReason];
    },
    async (error: unknown) => {
      const isRefused = error instanceof RequestError;
      const how = isRefused ? wordsOf(error) : await ended;
      // One of these two settles it; a prompt that was taken stays taken.
      if (isRefused) reject(refusal('send_injection_failed', `The agent did not take it: ${how}`, error));
      else
        reject(refusal('delivery_unknown', `The agent ended before it confirmed the message: ${how}`, error));
      const wasTaken = await taken.then(
        () => true,
        () => false,
      );
      // One line: further lines would pass for the proxy's own words.
      return wasTaken && isRefused ? `The agent failed: ${plainLine(how, MAX_REASON)}` : undefined;
    },
  );
  return { taken, took, over };
}
