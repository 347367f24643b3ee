import { reasonDe } from './reason-de.ts';
/** German words for the work of an agent. */
export const WORK_DE = {
  work: { goal: 'Ziel', current: 'Tut', thinking: 'Denkt', usage: 'Verbrauch', limit: 'Grenze' },
  limited: 'erreicht',
  limitUsed: (percent: string) => `${percent} % verbraucht`,
  limitUntil: (time: string) => `bis ${time}`,
  goalPause: 'Ziel anhalten',
  goalResume: 'Ziel fortsetzen',
  goalFailed: (why: string) => `Das Ziel wurde nicht geändert: ${reasonDe(why)}`,
  chats: 'Chats des Agenten',
};
