import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tokensOf } from '@drawbridge/testbed/tokens';
import { type Call, filesOf, type OpenProgram, PROGRAMS } from './programs.ts';
import { serveTaskPages, type Task } from './task-pages.ts';

/** One task as it was played. */
export interface Result {
  readonly program: string;
  readonly id: string;
  readonly kind: string;
  readonly solved: boolean;
  readonly calls: number;
  readonly characters: number;
  readonly tokens: number;
  readonly pictures: number;
  readonly questions: number;
  /** Time in calls. */
  readonly ms: number;
}

export type Order =
  | { readonly do: 'tools' | 'stop' }
  | { readonly do: 'task'; readonly id: string }
  | { readonly do: 'call'; readonly call: Call }
  | { readonly do: 'read'; readonly file: string }
  | { readonly do: 'done'; readonly answer: string };

const MOST_CALLS = 25;
/** A report of the last act may still be on its way: some pages answer like a slow server. */
const REPORT_MS = 2_000;

interface Played {
  readonly task: Task;
  readonly program: OpenProgram;
  calls: number;
  characters: number;
  tokens: number;
  pictures: number;
  ms: number;
}

/** Plays tasks one after another through one program; records in the folder. */
export async function startRun(name: string, pagesFolder: string, folder: string) {
  const program = PROGRAMS[name];
  if (program === undefined)
    throw new Error(`No program "${name}"; there are ${Object.keys(PROGRAMS).join(', ')}.`);
  const pages = await serveTaskPages(pagesFolder);
  const pictures = join(folder, 'pictures');
  mkdirSync(pictures, { recursive: true });
  let pictureCount = 0;
  let current: Played | undefined;

  const log = (file: string, record: object) =>
    appendFileSync(join(folder, file), `${JSON.stringify(record)}\n`);

  const save = (picture: string): string => {
    pictureCount += 1;
    const bytes = Buffer.from(picture, 'base64');
    const path = join(pictures, `${pictureCount}.${bytes[0] === 0xff ? 'jpg' : 'png'}`);
    writeFileSync(path, bytes);
    return `[picture: ${path}]`;
  };

  async function end(): Promise<void> {
    const left = current;
    current = undefined;
    await left?.program.close();
  }

  async function open(id: string): Promise<string> {
    const task = pages.tasks.find((each) => each.id === id);
    if (task === undefined) return `No task "${id}".`;
    await end();
    pages.open(task);
    const opened = await program?.open(pages.urlOf(task), folder);
    if (opened === undefined) return 'The program did not start.';
    current = { task, program: opened, calls: 0, characters: 0, tokens: 0, pictures: 0, ms: 0 };
    const how = task.expect === undefined ? '' : '\nEnd with: done ANSWER';
    return `${task.task}\n(The page is open. Your files: ${filesOf(folder)})${how}`;
  }

  async function callOf(call: Call): Promise<string> {
    if (current === undefined) return 'No task is open: play task ID.';
    if (current.calls >= MOST_CALLS) return `The limit of ${MOST_CALLS} calls is reached: play done.`;
    const played = current;
    const asked = played.program.questions().length;
    const started = performance.now();
    const { text, pictures: taken } = await played.program
      .call(call)
      .catch((error: unknown) => ({ text: `Error: ${String(error)}`, pictures: [] }));
    const ms = Math.round(performance.now() - started);
    const seen = taken.length + (text.match(/\.(?:png|jpe?g)\b/g)?.length ?? 0) * Number(taken.length === 0);
    const tokens = tokensOf(text);
    const questions = played.program.questions().slice(asked);
    played.calls += 1;
    played.characters += text.length;
    played.tokens += tokens;
    played.pictures += seen;
    played.ms += ms;
    log('calls.jsonl', {
      ...{ id: played.task.id, n: played.calls, ...call, characters: text.length, tokens, ms },
      ...{ pictures: seen, questions, text },
    });
    return [text, ...taken.map(save)].join('\n');
  }

  /** Reads a file that an answer names: its text counts as one, without a call. */
  function read(file: string): string {
    const text = readFileSync(resolve(filesOf(folder), file), 'utf8');
    const tokens = tokensOf(text);
    if (current !== undefined) {
      current.characters += text.length;
      current.tokens += tokens;
    }
    log('calls.jsonl', { id: current?.task.id, read: file, characters: text.length, tokens });
    return text;
  }

  async function done(answer: string): Promise<string> {
    if (current === undefined) return 'No task is open: play task ID.';
    const { task, program: opened, ...counts } = current;
    await pause(REPORT_MS);
    const solved = task.expect === undefined ? pages.verdict() === true : answers(task.expect, answer);
    const result: Result = {
      ...{ program: name, id: task.id, kind: task.kind, solved, ...counts },
      questions: opened.questions().length,
    };
    log('results.jsonl', { ...result, ...(answer !== '' && { answer }) });
    await end();
    return `${solved ? 'solved' : 'not solved'} (${result.calls} calls, ${result.tokens} tokens)`;
  }

  return async (order: Order): Promise<string> => {
    switch (order.do) {
      case 'tools':
        return program.surface(folder);
      case 'task':
        return open(order.id);
      case 'call':
        return callOf(order.call);
      case 'read':
        return read(order.file);
      case 'done':
        return done(order.answer);
      case 'stop':
        await end();
        return 'stopped';
    }
  };
}

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

const answers = (expected: readonly string[], answer: string): boolean =>
  expected.some((each) => plain(each) === plain(answer));
