import type { CheckedMap, MapCheckReport, Tab, TabGrant } from '@drawbridge/protocol/http';
import { requestOf } from '@drawbridge/protocol/http-call';
import { call } from './request.ts';
import { type Task, taskApi } from './task-api.ts';

export type {
  CheckedMap as SiteMap,
  Tab,
  TabGrant as Grant,
} from '@drawbridge/protocol/http';
export type MapFinding = MapCheckReport['checks'][number];

export interface LiveFrame {
  readonly image: string;
  readonly mime_type: string;
  readonly width: number;
  readonly height: number;
  readonly url: string;
  readonly title?: string;
}

export interface ViewEnd {
  readonly reason: 'denied' | 'unsupported' | 'gone' | 'failed' | 'stopping';
}

export interface Tabs {
  readonly tabs: readonly Tab[];
  readonly grants: readonly TabGrant[];
  readonly maps: readonly CheckedMap[];
  /** Unfinished tasks. */
  readonly tasks: readonly Task[];
}

export const tabApi = {
  list: async () => (await call('GET /api/runtimes')).runtimes,
  async all(): Promise<Tabs> {
    const [tabs, { grants }, { maps }, tasks] = await Promise.all([
      tabApi.list(),
      call('GET /api/grants'),
      call('GET /api/maps'),
      taskApi.list(),
    ]);
    return { tabs, grants, maps, tasks: tasks.filter(({ settled_at }) => settled_at === null) };
  },
  revoke: (runtime_id: string, grant_id?: string) =>
    grant_id === undefined
      ? call('DELETE /api/grants/{runtime_id}', { runtime_id })
      : call('DELETE /api/grants/{runtime_id}/{grant_id}', { runtime_id, grant_id }),
  /** Lets agents read and act again, in one tab or in all. Returns the number of tabs. */
  giveBack: async (runtime_id?: string) =>
    (
      await (runtime_id === undefined
        ? call('POST /api/grants')
        : call('POST /api/grants/{runtime_id}', { runtime_id }))
    ).tabs,
  check: (runtime_id: string) => call('POST /api/runtimes/{runtime_id}/check', { runtime_id }),
  viewUrl: (runtime_id: string): string =>
    requestOf('GET /api/runtimes/{runtime_id}/view', { runtime_id }).path,
};

/** Whether the tab shows the browser's own page about a page that did not load. */
export const isErrorPage = (url: string): boolean => url.startsWith('chrome-error:');
