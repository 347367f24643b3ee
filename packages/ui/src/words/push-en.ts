/** English words of notifications, which the relay writes for each device. */
export const pushEn = {
  needsYou: (who: string) => `${who} needs you`,
  asks: (who: string) => `${who} asks`,
  done: (who: string) => `Done: ${who}`,
  notDone: (who: string) => `Not done: ${who}`,
  finished: (who: string) => `${who} has finished`,
  worked: (span: string) => `After ${span} of work.`,
  waits: 'Waiting for you.',
  notReached: (who: string) => `Your message did not reach ${who}`,
  testTitle: 'Drawbridge reaches you here',
  testBody: 'This is what you asked for: a test.',
  seconds: (count: number) => `${count} s`,
  minutes: (count: number) => `${count} min`,
  hours: (count: number) => `${count} h`,
};
