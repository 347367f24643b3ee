import { randomNonce } from './fence.ts';

/** Page text that was too large for an answer, with its origin. */
export interface StoredOutput {
  readonly id: string;
  readonly origin: string;
  readonly text: string;
}

export type OutputStore = ReturnType<typeof createOutputStore>;

export interface OutputStoreLimits {
  readonly outputs: number;
  readonly characters: number;
}

const OUTPUT_STORE_LIMITS: OutputStoreLimits = { outputs: 32, characters: 8_000_000 };

/** Long enough that nobody guesses another agent's id. */
const ID_LETTERS = 10;

export const OUTPUTS_URI = 'drawbridge://outputs/';

/** Keeps the last few; evicts the oldest first. */
export function createOutputStore(limits: OutputStoreLimits = OUTPUT_STORE_LIMITS) {
  const kept = new Map<string, StoredOutput>();
  let characters = 0;
  return {
    add(origin: string, text: string): StoredOutput {
      const output = { id: randomNonce(ID_LETTERS), origin, text: text.slice(0, limits.characters) };
      kept.set(output.id, output);
      characters += output.text.length;
      for (const [id, oldest] of kept) {
        if (kept.size <= limits.outputs && characters <= limits.characters) break;
        kept.delete(id);
        characters -= oldest.text.length;
      }
      return output;
    },
    get: (id: string): StoredOutput | undefined => kept.get(id),
  };
}
