import { tokensOf } from '@drawbridge/testbed/tokens';
import { ToolRefusal } from './mcp-session.ts';

/** Tokens of a model's tool calls and their results. */
export interface Exchange {
  readonly calls: number;
  /** Tokens that the model wrote. */
  readonly written: number;
  /** Tokens that the model read. */
  readonly read: number;
}

export interface Tally {
  /** Runs a call and counts the tokens of the call and its result. */
  readonly counted: (call: string, answer: Promise<string>) => Promise<string>;
  readonly exchange: () => Exchange;
}

export function startTally(): Tally {
  let [calls, written, read] = [0, 0, 0];
  return {
    async counted(call, answer) {
      calls += 1;
      written += tokensOf(call);
      try {
        const text = await answer;
        read += tokensOf(text);
        return text;
      } catch (error) {
        if (error instanceof ToolRefusal) read += tokensOf(error.message);
        throw error;
      }
    },
    exchange: () => ({ calls, written, read }),
  };
}
