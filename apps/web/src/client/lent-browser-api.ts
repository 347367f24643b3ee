import { ask, parseAnswer } from './request.ts';
import type { Tab } from './tab-api.ts';

/** The tabs that the agent of a session may use now. */
export type LentBrowser =
  | { readonly lent: false }
  | {
      readonly lent: true;
      /** Every lent tab without. */
      readonly origins?: readonly string[];
      readonly tabs: readonly Tab[];
      /** The tab of its last call. */
      readonly tab: string | null;
      /** The agent came by itself: it may go on when a person writes. */
      readonly came?: true;
    };

const pathOf = (session_id: string): string => `/api/sessions/${encodeURIComponent(session_id)}/browser`;

export const lentBrowserApi = {
  get: (session_id: string): Promise<LentBrowser> => parseAnswer(ask(pathOf(session_id))),
  takeBack: (session_id: string) => ask(pathOf(session_id), { method: 'DELETE' }),
};
