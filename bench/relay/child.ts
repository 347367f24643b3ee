import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A child process, so that the subject and the load have a core each. */
export interface Child<Calls> {
  readonly pid: number;
  readonly call: <Name extends keyof Calls & string>(
    name: Name,
    input: InputOf<Calls[Name]>,
  ) => Promise<OutputOf<Calls[Name]>>;
  /** Resolves when the process has exited. */
  readonly end: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

type InputOf<Call> = Call extends (input: infer Input) => unknown ? Input : never;
type OutputOf<Call> = Call extends (input: never) => infer Output ? Awaited<Output> : never;

type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string };

export async function startChild<Calls>(file: string, input: object = {}): Promise<Child<Calls>> {
  // Allows a garbage collection before memory is measured.
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(input)], {
    execArgv: ['--expose-gc', ...profiling(file)],
  });
  const gone = once(child, 'exit');
  const asked = new Map<number, (answer: Answer) => void>();
  child.on('message', (answer: Answer) => {
    asked.get(answer.id)?.(answer);
    asked.delete(answer.id);
  });
  void gone.then(() => {
    for (const [id, settle] of asked) settle({ id, problem: `${file} has ended` });
  });
  let last = 0;
  const ask = async (name: string, what: unknown): Promise<unknown> => {
    last += 1;
    const id = last;
    const answer = await new Promise<Answer>((settle) => {
      asked.set(id, settle);
      child.send({ id, name, what });
    });
    if ('problem' in answer) throw new Error(`${name}: ${answer.problem}`);
    return answer.value;
  };
  await started(child, file);
  return {
    pid: child.pid ?? 0,
    call: async (name, what) => trustOutput(await ask(name, what)),
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await gone;
    },
  };
}

/** `BENCH_PROFILE=relay-program` writes a CPU profile of that program to the working folder. */
function profiling(file: string): readonly string[] {
  const wanted = process.env['BENCH_PROFILE'];
  return wanted !== undefined && file.includes(wanted) ? ['--cpu-prof'] : [];
}

async function started(child: ChildProcess, file: string): Promise<void> {
  const early = once(child, 'exit').then(() => {
    throw new Error(`${file} did not start`);
  });
  await Promise.race([once(child, 'message'), early]);
}

/** In the child: answers calls, and reports that it is ready. */
export function answerCalls(calls: Readonly<Record<string, (input: never) => unknown>>): void {
  process.on('message', async ({ id, name, what }: { id: number; name: string; what: never }) => {
    try {
      process.send?.({ id, value: (await calls[name]?.(what)) ?? null });
    } catch (error) {
      process.send?.({ id, problem: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
  process.on('SIGTERM', () => process.exit());
  process.send?.({ id: 0, value: 'started' });
}

export function trustInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? '{}') as Input;
}

/** The answer of our own child process; its type is lost in transit. */
function trustOutput<Output>(value: unknown): Output {
  return value as Output;
}
