import type { Terminal } from '../command.ts';
import { ownCommand } from '../path/own-command.ts';
import { type Suggestion, suggestionLines } from './suggestions.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface WhatRuns {
  /** The demo can be played from the web app. */
  readonly demo: boolean;
  readonly browser: boolean;
  readonly extension: boolean;
  /** Reachable from other machines. */
  readonly reachable: boolean;
}

/** Suggestions after the first start. */
export function nextSteps(
  { demo, browser, extension, reachable }: WhatRuns,
  terminal: Terminal,
  env: Environment = process.env,
  name = ownCommand(),
): readonly string[] {
  const up = env['npm_lifecycle_event'] === 'start' ? 'npm start --' : `${name} up`;
  const steps: readonly (Suggestion | false)[] = [
    demo && ['“Play the demo”', 'in the web app: an agent buys a lamp'],
    browser && [`${name} connect claude`, 'your agent gets this browser'],
    [`${name} proxy`, 'steer your coding agents'],
    extension && [`${name} pair --role extension`, 'a link for its side panel'],
    [`${name} pair`, 'let in another device'],
    !reachable && [`${up} --host 0.0.0.0`, 'let in your phone'],
  ];
  return [
    '',
    'Try next:',
    ...suggestionLines(
      steps.filter((step) => step !== false),
      terminal,
    ),
    '',
    'Press Ctrl-C to stop everything.',
  ];
}
