import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { arbitraryText, createRandom, mutatedText } from '../../test/wire/mangle.ts';
import { fieldsOf, without } from '../../test/wire/parse.ts';
import { WIRES, type Wire } from '../../test/wire/samples.ts';
import { BridgeError } from './bridge-error.ts';
import { ERROR_CODES } from './error-codes.ts';

/**
 * A parser answers any input with a message or a BridgeError. `npm run deep` sets the number of inputs for
 * each parser and uses a new seed; otherwise every run tries the same inputs.
 */
const { DRAWBRIDGE_FUZZ_RUNS, DRAWBRIDGE_FUZZ_SEED } = process.env;
const RUNS = Number(DRAWBRIDGE_FUZZ_RUNS ?? 2_000);
const SEED = Number(DRAWBRIDGE_FUZZ_SEED ?? (DRAWBRIDGE_FUZZ_RUNS === undefined ? 20_260_319 : Date.now()));

const MAX_MESSAGE_CHARS = 2_000;
const MAX_ERROR_CHARS = 3_000;
const MAX_HEAP_GROWTH_MB = 64;

/** Result of parsing a text; `wrong` describes a bug. */
function answerOf({ parse }: Wire, text: string): 'accepted' | 'refused' | { readonly wrong: string } {
  let message: unknown;
  try {
    message = parse(text);
  } catch (error) {
    const wrong = wrongWith(error);
    return wrong === undefined ? 'refused' : { wrong };
  }
  try {
    parse(JSON.stringify(message));
    return 'accepted';
  } catch (error) {
    return { wrong: `accepted it, but refused it when written again: ${String(error)}` };
  }
}

function wrongWith(error: unknown): string | undefined {
  if (!(error instanceof BridgeError)) return `threw ${String(error)}`;
  if (!Object.hasOwn(ERROR_CODES, error.code)) return `threw the unknown code ${error.code}`;
  if (error.message === '') return 'threw an empty message';
  if (error.message.includes('a value that fits its schema')) return `found no reason: ${error.message}`;
  if (error.message.length >= MAX_MESSAGE_CHARS)
    return `threw a message of ${error.message.length} characters`;
  if (JSON.stringify(error).length >= MAX_ERROR_CHARS) return 'threw an error that is too large for a wire';
  return undefined;
}

/** The built-in prototypes with their properties. */
function prototypes(): unknown[] {
  const shared = [Object, Array, String, Number, Boolean, Function, RegExp, Map, Error, BridgeError];
  return shared.flatMap(({ prototype }) =>
    Reflect.ownKeys(prototype).map((key) => Object.getOwnPropertyDescriptor(prototype, key)?.value ?? key),
  );
}

beforeAll(() => {
  // Without stacks, which take a quarter of the time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapInMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const PAUSE_EVERY = 5_000;

/** The message reduced to its required fields. */
function leanest(wire: Wire, message: unknown): unknown {
  for (const path of fieldsOf(message)) {
    const smaller = without(message, path);
    if (answerOf(wire, JSON.stringify(smaller)) === 'accepted') return leanest(wire, smaller);
  }
  return message;
}

/** Even seeds make arbitrary text, odd ones mutate a valid message. */
function inputOf(seed: number, valid: readonly [string, ...string[]]): string {
  const random = createRandom(seed);
  return seed % 2 === 0 ? arbitraryText(random) : mutatedText(random, valid);
}

async function fuzz(wire: Wire): Promise<{ accepted: number; refused: number }> {
  const samples = Object.values(wire.samples);
  const lean = samples.map((sample) => leanest(wire, sample));
  const messages = [...samples, ...lean, ...lean, ...lean];
  const [first = '{}', ...others] = messages.map((message) => JSON.stringify(message));
  const valid = [first, ...others] as const;
  const counts = { accepted: 0, refused: 0 };
  for (let run = 0; run < RUNS; run++) {
    const text = inputOf(SEED + run, valid);
    const answer = answerOf(wire, text);
    if (typeof answer === 'object') {
      const again = `DRAWBRIDGE_FUZZ_SEED=${SEED + run} DRAWBRIDGE_FUZZ_RUNS=1 repeats it.`;
      throw new Error(`${wire.name} ${answer.wrong}\n${JSON.stringify(text.slice(0, 4_000))}\n${again}`);
    }
    counts[answer]++;
    if (run % PAUSE_EVERY === 0) await setImmediate();
  }
  return counts;
}

test.each(WIRES)(
  '$name answers any input with a message or a BridgeError, and keeps no state',
  { timeout: 240_000 + RUNS },
  async (wire) => {
    const before = { prototypes: prototypes(), heap: heapInMb() };
    const { accepted, refused } = await fuzz(wire);
    expect(prototypes()).toEqual(before.prototypes);
    expect(heapInMb() - before.heap).toBeLessThan(MAX_HEAP_GROWTH_MB);
    if (RUNS >= 1_000) expect(Math.min(accepted, refused)).toBeGreaterThan(RUNS / 100);
  },
);
