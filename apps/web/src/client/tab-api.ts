import { ask, parseAnswer, post } from './request.ts';
import { type Task, taskApi } from './task-api.ts';

export interface Tab {
  readonly runtime_id: string;
  readonly url: string;
  readonly title?: string;
  readonly liveness: 'awake' | 'quiet';
  readonly states: readonly string[];
}

export interface Grant {
  readonly runtime_id: string;
  readonly grant_id: string;
  /** `*` for any page in the tab. */
  readonly origin: string;
  readonly name?: string;
  readonly effect: 'read' | 'act' | 'irreversible';
  readonly by: string;
  readonly expires_at?: number;
}

export interface MapFinding {
  readonly id: string;
  readonly status: 'pass' | 'fail' | 'skipped' | 'error';
  readonly why: string | null;
}

/** Result of the last map check. */
export interface MapCheck {
  readonly at: number;
  readonly ok: boolean;
  readonly problem?: string;
  readonly checks: readonly MapFinding[];
}

export interface SiteMap {
  readonly map_id: string;
  readonly runtimes: readonly string[];
  readonly last_check: MapCheck | null;
  readonly name: string;
  readonly version: number | null;
  readonly site: string | null;
  readonly description: string | null;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly effect: Grant['effect'] | null;
  }[];
  readonly checks: readonly {
    readonly id: string;
    readonly description: string | null;
    readonly severity: string | null;
  }[];
}

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
  readonly grants: readonly Grant[];
  readonly maps: readonly SiteMap[];
  /** Unfinished tasks. */
  readonly tasks: readonly Task[];
}

const named = (id: string): string => encodeURIComponent(id);

export const tabApi = {
  list: async (): Promise<readonly Tab[]> =>
    (await parseAnswer<{ readonly runtimes: readonly Tab[] }>(ask('/api/runtimes'))).runtimes,
  async all(): Promise<Tabs> {
    const [tabs, { grants }, { maps }, tasks] = await Promise.all([
      tabApi.list(),
      parseAnswer<{ readonly grants: readonly Grant[] }>(ask('/api/grants')),
      parseAnswer<{ readonly maps: readonly SiteMap[] }>(ask('/api/maps')),
      taskApi.list(),
    ]);
    return { tabs, grants, maps, tasks: tasks.filter(({ settled_at }) => settled_at === null) };
  },
  revoke: (runtime_id: string, grant_id?: string) =>
    ask(`/api/grants/${named(runtime_id)}${grant_id === undefined ? '' : `/${named(grant_id)}`}`, {
      method: 'DELETE',
    }),
  /** Lets agents read and act again, in one tab or in all. Returns the number of tabs. */
  giveBack: async (runtime_id?: string): Promise<number> =>
    (
      await parseAnswer<{ readonly tabs: number }>(
        post(`/api/grants${runtime_id === undefined ? '' : `/${named(runtime_id)}`}`),
      )
    ).tabs,
  check: (runtime_id: string): Promise<MapCheck> =>
    parseAnswer(post(`/api/runtimes/${named(runtime_id)}/check`)),
  viewUrl: (runtime_id: string): string => `/api/runtimes/${named(runtime_id)}/view`,
};

/** Whether the tab shows the browser's own page about a page that did not load. */
export const isErrorPage = (url: string): boolean => url.startsWith('chrome-error:');
