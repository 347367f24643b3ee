import { deedOf as deedIn, en } from '@drawbridge/ui/model';

/** Describes an action like the screens, in English. */
export const deedOf = (action: string, subject?: string): string => deedIn(action, subject, en);
