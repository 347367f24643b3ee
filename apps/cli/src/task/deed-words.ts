import { deedOf as deedIn, en } from '@drawbridge/ui/model';

/** What is done, as the screens say it, in the one language of the terminal. */
export const deedOf = (action: string, subject?: string): string => deedIn(action, subject, en);
