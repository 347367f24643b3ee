import { expect, test } from 'vitest';
import { agentMarks } from './agent-marks.ts';

test.each([
  [
    ['Claude Code', 'Codex', 'Gemini CLI', 'opencode', 'GitHub Copilot'],
    ['Cl', 'Co', 'Ge', 'op', 'Gi'],
  ],
  [
    ['codex', 'Codex 2', 'Copilot'],
    ['co', 'Cd', 'Cp'],
  ],
  [
    ['x', 'aa', 'a a', '', '…'],
    ['x', 'aa', 'aa', '?', '?'],
  ],
])('marks of %j', (names, marks) => {
  expect(agentMarks(names)).toEqual(marks);
});
