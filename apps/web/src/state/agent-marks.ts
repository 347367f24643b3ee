const lettersOf = (name: string): readonly string[] => [...name.replaceAll(/[^\p{L}\p{N}]/gu, '')];

/**
 * Two letters for each agent, to tell agents apart at a glance: their makers' marks are not ours to draw. A later name
 * that begins like an earlier one has its first letter and the first that differs.
 */
export function agentMarks(names: readonly string[]): readonly string[] {
  const marks: string[] = [];
  for (const name of names) {
    const letters = lettersOf(name);
    const isTaken = (mark: string): boolean => marks.some((one) => one.toLowerCase() === mark.toLowerCase());
    const [first = '?', ...rest] = letters;
    const others = [...new Set(rest)].map((letter) => first + letter);
    marks.push(others.find((mark) => !isTaken(mark)) ?? others[0] ?? first);
  }
  return marks;
}
