import type { Terminal } from '../command.ts';
import { widthOf } from '../map/paint.ts';

/** A command and its purpose. */
export type Suggestion = readonly [command: string, about: string];

/** Side by side, or below each other if too wide. */
export function suggestionLines(suggestions: readonly Suggestion[], terminal: Terminal): readonly string[] {
  const longest = Math.max(...suggestions.map(([command]) => command.length));
  const beside = suggestions.map(([command, about]) => `  ${command.padEnd(longest)}  ${about}`);
  if (beside.every((line) => line.length <= widthOf(terminal))) return beside;
  return suggestions.flatMap(([command, about]) => [`  ${command}`, `    ${about}`]);
}
