import { fileWords } from './attached-files.ts';

/** Display of a panel for an agent at work. */
export interface PanelScript {
  readonly user: (text: string) => void;
  /** Returns a function that appends to the message. */
  readonly assistant: () => (chunk: string) => void;
  readonly thought?: (text: string) => void;
  readonly tool?: (name: string, subject: string, result: string) => void;
  /** Null when idle. */
  readonly activity: (label: string | null) => void;
  /** Undefined when the agent was stopped before an answer. */
  readonly ask?: (question: Question, signal: AbortSignal) => Promise<number | undefined>;
  readonly clear: () => void;
}

export interface Question {
  readonly title: string;
  readonly command: string;
  readonly choices: readonly string[];
}

const CHUNK_MS = 15;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const PERMISSION: Question = {
  title: 'Allow this bash command?',
  command: 'rm -r build',
  choices: ['Yes', "Yes, and don't ask again", 'No, and tell it what to do instead'],
};

type Step = (script: PanelScript, rest: string, signal: AbortSignal, files: readonly File[]) => Promise<void>;

async function say(script: PanelScript, words: string): Promise<void> {
  script.activity('Writing');
  const add = script.assistant();
  for (const chunk of words.match(/\S+\s*/g) ?? []) {
    add(chunk);
    await pause(CHUNK_MS);
  }
}

/** The same commands as those of the scripted agent: a prompt is steps joined by `;`. */
const STEPS: Readonly<Record<string, Step>> = {
  say,
  echo: async () => {},
  blocks: async (script, _, __, files) => say(script, (await Promise.all(files.map(fileWords))).join(' | ')),
  // In seconds: one in ten numbers of thirteen digits passes for a card's, and is masked.
  clock: async (script) => say(script, `at second ${(Date.now() / 1_000).toFixed(3)}`),
  think: async (script, rest) => script.thought?.(rest),
  diff: async (script) => script.tool?.('Edit', 'notes.txt', 'old → new'),
  ask: async (script, _, signal) => {
    if (script.ask === undefined) return say(script, 'nobody to ask');
    const chosen = await script.ask(PERMISSION, signal);
    if (chosen === undefined || signal.aborted) return;
    await say(script, chosen < 2 ? `removed by ${chosen + 1}` : 'left alone');
  },
  slow: async (script, _, signal) => {
    script.activity('Running sleep');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  },
  crash: async () => {
    top?.location.reload();
    await new Promise(() => {});
  },
};

/** An agent that follows its prompts, one turn after the other. */
export function createAgent(script: PanelScript) {
  let stop: AbortController | undefined;
  let line = Promise.resolve();

  async function turn(text: string, files: readonly File[]): Promise<void> {
    stop = new AbortController();
    const { signal } = stop;
    script.activity('Thinking');
    for (const step of text.split(';')) {
      const [word = '', ...rest] = step.trim().split(' ');
      const run = STEPS[word];
      await (run === undefined ? say(script, step.trim()) : run(script, rest.join(' '), signal, files));
      if (signal.aborted) break;
    }
    stop = undefined;
    script.activity(null);
  }

  return {
    take(text: string, files: readonly File[] = []): void {
      if (text.trim() === 'crash') {
        void STEPS['crash']?.(script, '', new AbortController().signal, []);
        return;
      }
      script.user(text);
      line = line.then(() => turn(text, files));
    },
    stop: () => stop?.abort(),
    renew() {
      stop?.abort();
      script.clear();
    },
  };
}
