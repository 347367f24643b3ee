import type jsonata from 'jsonata';
import { BANNED_FUNCTIONS } from './banned.ts';
import { boundRealm } from './bounded-realm.ts';
import { sealBuiltIns } from './built-ins.ts';
import { byteLength } from './byte-length.ts';
import { isFunctionValue } from './function-value.ts';
import { guardTree } from './guarded-tree.ts';
import { LinearRegExp } from './linear-regexp.ts';
import { lockRealm } from './locked-realm.ts';
import type { EvaluationAnswer, EvaluationRequest, Refusal } from './messages.ts';
import { SizeLimit, type SizeLimits } from './size-limit.ts';
import { type Compilation, compileExpression } from './source.ts';
import { isDeeperThan } from './value-depth.ts';

/** Runs inside an isolate. Answers one request at a time and keeps only parsed sources between requests. */
export type Engine = (request: EvaluationRequest) => Promise<EvaluationAnswer>;

/** Far below the 16 MB that Node grants a worker beyond its memory limit before it aborts the process. */
const ISOLATE_LIMITS: SizeLimits = { maxItems: 1_000_000, maxChars: 1_000_000 };
/** The depth limit of every message: a deeper value would overflow the stack of recursive code. */
const MAX_DEPTH = 64;
const MAX_NESTED_CALLS = 5_000;
const MAX_CACHED = 500;

/**
 * Locks its realm permanently: call it in an isolate, last before listening. `nextTurn` resolves in a later
 * turn of the event loop. An expression can leave microtasks behind (through a `then` property), but no
 * timers, so one turn later all of its work is done.
 */
export async function openEngine(nextTurn: () => Promise<void>): Promise<Engine> {
  await sealBuiltIns(ISOLATE_LIMITS);
  boundRealm(ISOLATE_LIMITS);
  lockRealm();
  const cache = new Map<string, Compilation>();
  const evaluate: Engine = async ({ id, expression, input, maxOutputBytes }) => {
    try {
      const compilation = compileCached(cache, expression);
      if (!compilation.ok) return { id, ok: false, ...compilation.problem };
      const result: unknown = await compilation.expression.evaluate(parseInput(input));
      return { id, ...toOutput(result, maxOutputBytes) };
    } catch (error) {
      return { id, ok: false, ...refusalOf(error) };
    }
  };
  return async (request) => {
    const answer = await evaluate(request);
    await nextTurn();
    return answer;
  };
}

function compileCached(cache: Map<string, Compilation>, source: string): Compilation {
  const known = cache.get(source);
  if (known !== undefined) return known;
  const compilation = compileExpression(source, OPTIONS);
  if (compilation.ok) {
    guardTree(compilation.expression);
    for (const name of BANNED_FUNCTIONS) compilation.expression.assign(name, undefined);
  }
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(source, compilation);
  return compilation;
}

const OPTIONS: jsonata.JsonataOptions = {
  // JSONata only constructs it, sets `lastIndex` and calls `exec`.
  RegexEngine: LinearRegExp as unknown as RegExpConstructor,
  stack: MAX_NESTED_CALLS,
};

/** Removes keys with JSONata's marker, which would turn data into a function with a body from the data. */
function parseInput(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (!text.includes('"_jsonata_')) return JSON.parse(text);
  return JSON.parse(text, (key, value) => (key.startsWith('_jsonata_') ? undefined : value));
}

function toOutput(result: unknown, maxOutputBytes: number) {
  if (result === undefined) return { ok: true } as const;
  if (isFunctionValue(result)) {
    return refuse('expression_evaluation_failed', 'The expression gives a function, not a value.', {
      reason: 'not_json',
    });
  }
  const output = JSON.stringify(result, (key, value: unknown) => {
    if (key === '__proto__' || isFunctionValue(value)) return undefined;
    return value;
  });
  if (isDeeperThan(result, MAX_DEPTH)) {
    const message = `The expression gives a value nested deeper than ${MAX_DEPTH} levels.`;
    return refuse('expression_output_too_large', message, { reason: 'depth', limit: MAX_DEPTH });
  }
  const bytes = byteLength(output);
  if (bytes > maxOutputBytes) {
    const message = `The expression gives ${bytes} bytes; the limit is ${maxOutputBytes}. Select less.`;
    return refuse('expression_output_too_large', message, { bytes, limit: maxOutputBytes });
  }
  return { ok: true, output } as const;
}

const refuse = (code: Refusal['code'], message: string, evidence: Refusal['evidence']) =>
  ({ ok: false, code, message, evidence }) as const;

function refusalOf(error: unknown): Refusal {
  const code = 'expression_evaluation_failed';
  if (error instanceof SizeLimit) {
    return { code, message: `${error.message}.`, evidence: { reason: 'size', limit: error.limit } };
  }
  const jsonataCode = textOf(error, 'code');
  if (error instanceof RangeError || jsonataCode === 'D1011') {
    const message = 'The expression calls itself too deep, or makes something too large.';
    return { code, message, evidence: { reason: 'stack', limit: MAX_NESTED_CALLS } };
  }
  const message = `The expression failed: ${(textOf(error, 'message') ?? 'no reason given').slice(0, 500)}`;
  return { code, message, evidence: { reason: 'failed', ...(jsonataCode && { jsonata_code: jsonataCode }) } };
}

function textOf(error: unknown, field: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : undefined;
}
