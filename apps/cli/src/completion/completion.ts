import { type Command, UsageError } from '../command.ts';
import { SHELLS } from './shells.ts';
import { wordsOf } from './words.ts';

/** Lazy, because the table contains this command too. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'let the shell complete commands and options',
  help: `drawbridge completion bash|zsh|fish

Prints a completion script for your shell:

  bash  eval "$(drawbridge completion bash)"    in ~/.bashrc
  zsh   eval "$(drawbridge completion zsh)"     in ~/.zshrc,
        after compinit
  fish  drawbridge completion fish | source     in
        ~/.config/fish/config.fish

Run it again after an update: commands may have changed.

Example:
  drawbridge completion fish`,

  async run(args, terminal) {
    const [shell = '', ...rest] = args;
    const write = SHELLS.get(shell);
    if (write === undefined || rest.length > 0) throw new UsageError('Name a shell: bash, zsh or fish.');
    terminal.print(write(wordsOf(commands())));
    return 0;
  },
});
