import { stepActionOf as deedIn, en } from '@drawbridge/ui/model';

/** Describes an action like the screens, in English. */
export const actionOf = (action: string, subject?: string): string => deedIn(action, subject, en);
