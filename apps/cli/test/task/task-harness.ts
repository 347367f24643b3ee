import { Readable } from 'node:stream';
import { type Relay, type RelayOptions, startRelay } from '@drawbridge/relay';
import { onTestFinished } from 'vitest';
import { main } from '../../src/main.ts';
import { temporaryFolder } from '../live/program-harness.ts';
import { terminalOf } from '../terminal.ts';

type Brain = NonNullable<ReturnType<NonNullable<RelayOptions['brain']>>>;
type Answer = Awaited<ReturnType<Brain['step']>>['answer'];
type Thinking = (think: (thought: string) => void) => Promise<Answer>;

const NOTHING = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

export const goTo = (path: string): Answer => ({
  thought: `Look at ${path}.`,
  action: `navigate("https://shop.example${path}")`,
});

/** A relay with a scripted brain, and a tab that navigates. */
export async function startTaskRelay(...lines: readonly (Answer | Thinking)[]) {
  const data = temporaryFolder();
  const left = [...lines];
  const said: string[] = [];
  const brain: Brain = {
    name: 'scripted',
    async step(input, { onThought } = {}) {
      said.push(...input.said);
      const line = left.shift() ?? { thought: 'All done.', action: 'finish()', result: { price: 4 } };
      const answer = typeof line === 'function' ? await line((thought) => onThought?.(thought)) : line;
      return { memory: { spent: { ...NOTHING, steps: 1, began: input.now } }, answer, usage: NOTHING };
    },
  };
  const start = async (): Promise<Relay> => {
    const relay = await startRelay({ data, port: 0, brain: () => brain });
    onTestFinished(relay.close);
    return relay;
  };
  const relay = await start();
  /** An interactive terminal with this input. */
  const drawbridge = async (args: readonly string[], typed = '', onShown = (_: string) => {}) => {
    const { terminal, out, errors } = terminalOf('');
    const stdin = Object.assign(Readable.from(typed === '' ? [] : [typed]), { isTTY: typed !== '' });
    const written: string[] = [];
    const write = (text: string) => {
      written.push(text);
      onShown(text);
    };
    const print = (line: string) => {
      out.push(line);
      onShown(line);
    };
    const code = await main([...args, '--data', data], { ...terminal, print, stdin, write, columns: 44 });
    return { code, out, written, text: out.join('\n'), errors: errors.join('\n') };
  };
  return { data, relay, said, drawbridge, start };
}

/** With `isSlow`, navigation never ends. Resolves at the first navigation. */
export function lendTab({ bridge }: Relay, isSlow = false): Promise<void> {
  const { promise: told, resolve } = Promise.withResolvers<void>();
  let url = 'https://shop.example/';
  const connection = bridge.connectRuntime({
    send(item) {
      if (item.type !== 'action_call') return;
      const { name, call_id } = item;
      if (name === 'browser.navigate') resolve();
      if (name === 'browser.navigate' && isSlow) return;
      if (name === 'browser.navigate') url = String(item.arguments['url']);
      const location = { url, title: 'Shop' };
      const outputs: Readonly<Record<string, object>> = {
        'page.wait': { matched: true, for: 'stable', elapsed_ms: 1, url },
        'page.info': location,
        'page.snapshot': {
          mode: 'semantic',
          page: { mode: 'semantic', ...location, interactive_tree: [TEA] },
        },
        'browser.navigate': { navigated: true, ...location },
      };
      const of = { runtime_id: 'tab_1', call_id };
      const error = { code: 'unsupported_action', message: `There is no ${name} here.` };
      if (outputs[name] === undefined) connection.receive({ type: 'action_error', ...of, error });
      else connection.receive({ type: 'action_call_output', ...of, output: outputs[name] });
    },
  });
  connection.receive({ type: 'runtime_ready', runtime_id: 'tab_1', url, title: 'Shop' });
  return told;
}

const TEA = { i: '7', r: 'link', n: 'Tea' };
