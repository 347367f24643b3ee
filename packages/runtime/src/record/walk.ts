/** The test of a recorded map: tool calls with their arguments, in order. Stored beside the map as `walk.json`. */
export interface RecordedWalk {
  readonly walk: 1;
  /** The starting path, relative to the map's origin. */
  readonly start: string;
  readonly calls: readonly WalkCall[];
}

export interface WalkCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Arguments that were not recorded; the caller of a replay supplies them. */
  readonly secrets: readonly string[];
}

export interface WalkCalls {
  readonly goto: (path: string) => Promise<void>;
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly secret?: (name: string) => string | undefined;
}

/** Replays all calls, each of which must succeed, and returns their outputs. */
export async function replayWalk({ start, calls }: RecordedWalk, walkCalls: WalkCalls): Promise<unknown[]> {
  const inputs = calls.map((call) => inputOf(call, walkCalls));
  await walkCalls.goto(start);
  const answers: unknown[] = [];
  for (const [index, { tool }] of calls.entries())
    answers.push(await walkCalls.call(tool, inputs[index] ?? {}));
  return answers;
}

function inputOf({ tool, input, secrets }: WalkCall, { secret }: WalkCalls): Record<string, unknown> {
  const brought = secrets.map((name) => [name, secret?.(name)] as const);
  const missing = brought.filter(([, value]) => value === undefined).map(([name]) => name);
  if (missing.length > 0)
    throw new Error(
      `${tool} needs what is not written down: ${missing.join(', ')}. Bring it, then replay again.`,
    );
  return { ...input, ...Object.fromEntries(brought) };
}

export const walkText = (walk: RecordedWalk): string => `${JSON.stringify(walk, undefined, 2)}\n`;
