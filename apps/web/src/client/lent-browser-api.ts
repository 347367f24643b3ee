import { call } from './request.ts';

export type { LentTabs as LentBrowser } from '@drawbridge/protocol/http';

export const lentBrowserApi = {
  get: (session_id: string) => call('GET /api/sessions/{session_id}/browser', { session_id }),
  lend: (session_id: string, origins: readonly string[] | undefined) =>
    call('PUT /api/sessions/{session_id}/browser', { session_id, body: { ...(origins && { origins }) } }),
  takeOver: (session_id: string) => call('POST /api/sessions/{session_id}/browser/takeover', { session_id }),
  handBack: (session_id: string) => call('POST /api/sessions/{session_id}/browser/handback', { session_id }),
  takeBack: (session_id: string) => call('DELETE /api/sessions/{session_id}/browser', { session_id }),
};
