import type { Words } from './en.ts';

export const pushDe: Words['push'] = {
  needsYou: (who) => `${who} braucht dich`,
  asks: (who) => `${who} fragt`,
  done: (who) => `Erledigt: ${who}`,
  notDone: (who) => `Nicht erledigt: ${who}`,
  finished: (who) => `${who} ist fertig`,
  worked: (span) => `Nach ${span} Arbeit.`,
  waits: 'Wartet auf dich.',
  notReached: (who) => `Deine Nachricht kam nicht an: ${who}`,
  testTitle: 'Drawbridge erreicht dich hier',
  testBody: 'Das hast du verlangt: eine Probe.',
  seconds: (count) => `${count} Sek.`,
  minutes: (count) => `${count} Min.`,
  hours: (count) => `${count} Std.`,
};
