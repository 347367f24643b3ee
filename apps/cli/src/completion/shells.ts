import type { CommandWords } from './words.ts';

type Write = (commands: readonly CommandWords[]) => string;

/** Possible next words of commands, by the words before them. */
function nextWords(commands: readonly CommandWords[]): ReadonlyMap<string, ReadonlySet<string>> {
  const next = new Map<string, Set<string>>();
  for (const { name } of commands) {
    const words = name.split(' ');
    words.forEach((word, at) => {
      const before = words.slice(0, at).join(' ');
      next.set(before, (next.get(before) ?? new Set()).add(word));
    });
  }
  return next;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Words before the first option name the command; option values complete as files. */
const bash: Write = (commands) => `_drawbridge() {
  local word=\${COMP_WORDS[COMP_CWORD]} before='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] && break
    before+="\${before:+ }\${COMP_WORDS[at]}"
  done
  local words='' flags=''
  case $before in
${[...nextWords(commands)].map(([before, words]) => `    ${quoted(before)}) words=${quoted([...words].join(' '))} ;;`).join('\n')}
  esac
  case $before in
${commands.map(({ name, flags }) => `    ${quoted(name)} | ${quoted(`${name} `)}*) flags=${quoted(flags.join(' '))} ;;`).join('\n')}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ -n $words && $at -eq $COMP_CWORD ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -o default -F _drawbridge drawbridge`;

/**
 * zsh runs bash completions: https://zsh.sourceforge.io/Doc/Release/Completion-System.html#Completion-System
 */
const zsh: Write = (commands) => `autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

const fish: Write = (commands) => {
  const tops = new Map<string, string>();
  for (const { name, summary } of commands) {
    const [top = ''] = name.split(' ');
    tops.set(top, name === top ? summary : (tops.get(top) ?? `${top} …`));
  }
  const lines = [...tops].map(
    ([top, summary]) => `complete -c drawbridge -n __fish_use_subcommand -f -a ${top} -d ${quoted(summary)}`,
  );
  for (const { name, summary, flags } of commands) {
    const [top = '', ...rest] = name.split(' ');
    const seen = [top, ...rest].map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const [last] = rest;
    if (last !== undefined)
      lines.push(
        `complete -c drawbridge -n '__fish_seen_subcommand_from ${top}' -a ${last} -d ${quoted(summary)}`,
      );
    for (const flag of flags) lines.push(`complete -c drawbridge -n '${seen}' -l ${flag.slice(2)}`);
  }
  return lines.join('\n');
};

export const SHELLS: ReadonlyMap<string, Write> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);
