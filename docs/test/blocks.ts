/** One fenced block of a page: its info string and its text. */
export interface Block {
  readonly language: string;
  /**
   * `run`: the text is a program. `background`: the commands go on while the next blocks run. `fails`: they end with an
   * error. `stopped`: what runs in the background is ended first. `allowed`: a person allows what they ask.
   */
  readonly flags: readonly string[];
  /** `file=…` is written, `section=…` gets the block put into its root object. */
  readonly file?: string;
  readonly section?: string;
  readonly text: string;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', info = '', text = '']) => {
      const [language = '', ...rest] = info.trim().split(/\s+/);
      const named = (name: string) =>
        rest.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
      const [file, section] = [named('file'), named('section')];
      return {
        ...{ language, flags: rest.filter((word) => !word.includes('=')) },
        text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        ...(file !== undefined && { file }),
        ...(section !== undefined && { section }),
      };
    },
  );
}

/** A line that ends with a backslash or inside quotes continues; comments are dropped. */
export function commandsIn({ text }: Pick<Block, 'text'>): string[] {
  const commands: string[] = [];
  let open: string | undefined;
  for (const line of text.split('\n')) {
    open = open === undefined ? line.replace(/(?:^|\s+)# .*$/, '') : `${open}\n${line}`;
    const isQuoted = (open.match(/'/g)?.length ?? 0) % 2 === 1;
    if (isQuoted || open.endsWith('\\')) continue;
    if (open.trim() !== '') commands.push(open.trim());
    open = undefined;
  }
  return commands;
}

/** Commands in indented blocks, outside of a fence. */
export function looseCommandsIn(markdown: string): string[] {
  const outside = markdown.replaceAll(/^( *)```[^\n]*\n[\s\S]*?^\1```$/gm, '');
  const program =
    /^ {4}((?:\w+=\S* )?(?:npx|npm|node|drawbridge|curl|code|tailscale|ssh|mv|cp|export|docker) .*)$/gm;
  return [...outside.matchAll(program)].map(([, command = '']) =>
    command.replace(/(\s+# | {4,}).*$/, '').trim(),
  );
}
