import { tokensOf } from '../page/tokens.ts';
import { ToolRefusal } from './mcp-session.ts';

/** What passed between a model and its tools: its calls, and their answers. */
export interface Exchange {
  readonly calls: number;
  /** What the model wrote. */
  readonly written: number;
  /** What it was given to read. */
  readonly read: number;
}

export interface Tally {
  /** Runs a call, and counts what it says and what comes back. */
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
