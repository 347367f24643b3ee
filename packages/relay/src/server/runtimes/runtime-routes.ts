import type { Bridge, RuntimeView } from '@drawbridge/bridge';
import type { JsonObject, Ledger } from '@drawbridge/ledger';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import { plainLine } from '@drawbridge/protocol';
import { type AuditAction, type MapCheckReport, RUNTIMES, type Tab } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Callers } from '../../approvals/callers.ts';
import type { OpenQuestions } from '../../approvals/open-questions.ts';
import type { CoreClock, Identity } from '../../core/ports.ts';
import type { AuthMiddleware } from '../../devices/auth-middleware.ts';
import { taskAt } from '../../tasks/task-record.ts';
import type { BrowserThreads } from '../../threads/browser-threads.ts';
import type { Credentials } from '../guard/credentials.ts';
import type { RelayEnv } from '../relay-env.ts';
import { type OpenCall, serveRoutes } from '../serve-routes.ts';
import type { LiveViews } from './live-view.ts';
import { checkMap } from './map-check.ts';
import { mapsOf } from './maps.ts';
import { pictureForQuestion } from './question-picture.ts';

export interface RuntimeRoutesOptions {
  readonly bridge: Pick<Bridge, 'runtimes' | 'revokeGrants' | 'renewGrants' | 'call'>;
  readonly threads: Pick<BrowserThreads, 'agentsIn'>;
  readonly liveViews: LiveViews;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly credentials: Credentials;
  readonly auth: Pick<AuthMiddleware, 'confirm'>;
  readonly schemas: Pick<SchemaChecks, 'validateMap'>;
  readonly questions: Pick<OpenQuestions, 'askedAs'>;
  readonly callers: Pick<Callers, 'elementOf'>;
  readonly labelOf: (device_id: string) => Promise<string | undefined>;
}

/** The lent tabs, their pages and their grants. */
export function runtimeRoutes(options: RuntimeRoutesOptions): Hono<RelayEnv> {
  const { bridge, threads, liveViews, ledger, clock, credentials, auth, schemas } = options;
  const { questions, callers, labelOf } = options;

  const tabOf = (id: string | undefined) => bridge.runtimes().find(({ runtime_id }) => runtime_id === id);

  const audit = async ({ device_id }: Identity, action: AuditAction, subject: string, detail: JsonObject) => {
    await ledger.commit([{ do: 'audit', entry: { at: clock.now(), device_id, action, subject, detail } }]);
  };

  const revoke = async (by: Identity, runtime_id: string, grant_id?: string): Promise<boolean> => {
    const of = { runtime_id, ...(grant_id !== undefined && { grant_id }) };
    const tab = tabOf(runtime_id);
    if (bridge.revokeGrants(of) === 0) return false;
    const grant = tab?.grants?.find((each) => each.grant_id === grant_id);
    const named = { ...nameOf(tab), ...(grant && { site: grant.origin, tool: grant.name ?? null }) };
    await audit(by, 'grant_revoked', runtime_id, { grant_id: grant_id ?? null, ...named });
    return true;
  };

  /** BRG-200 */
  const renew = async (by: Identity, runtime_id?: string): Promise<number> => {
    const tabs = bridge.renewGrants(by.label, runtime_id);
    if (tabs > 0)
      await audit(by, 'grants_renewed', runtime_id ?? 'relay', { tabs, ...nameOf(tabOf(runtime_id)) });
    return tabs;
  };

  /** Last check by map; another version of a map starts without one. */
  const checked = new Map<string, MapCheckReport>();
  const mapsAndChecks = () => {
    const { maps, runtimes } = mapsOf(bridge.runtimes());
    return {
      maps: maps.map((map) => ({ ...map, last_check: checked.get(map.map_id) ?? null })),
      runtimes,
    };
  };

  const control =
    (name: 'takeover' | 'handback') =>
    async ({
      context,
      params,
      refuse,
    }: OpenCall<`${string}{runtime_id}`, { readonly refuses: ['not_found'] }>) => {
      const task = await taskAt(ledger, params.runtime_id);
      if (task === undefined) return refuse('not_found', NO_TASK_THERE);
      return context.redirect(`/api/tasks/${encodeURIComponent(task.task_id)}/${name}`, 307);
    };

  return serveRoutes(RUNTIMES, credentials, {
    'GET /api/runtimes': async () => ({
      runtimes: await Promise.all(
        bridge.runtimes().map(async (tab) => {
          const agents = threads.agentsIn(tab);
          const browser = tab.owner === undefined ? undefined : await labelOf(tab.owner);
          return { ...summaryOf(tab), ...(browser && { browser }), ...(agents.length > 0 && { agents }) };
        }),
      ),
    }),
    async 'GET /api/runtimes/{runtime_id}/view'({ context, identity, params: { runtime_id }, refuse }) {
      const tab = tabOf(runtime_id);
      if (tab !== undefined) await audit(identity, 'tab_watched', runtime_id, nameOf(tab));
      const gone = new AbortController();
      const seen = liveViews.watch(runtime_id, gone.signal);
      if (seen === undefined) return refuse('not_found', NO_SUCH_TAB);
      const response = streamSSE(context, async (stream) => {
        stream.onAbort(() => gone.abort());
        for await (const each of seen) {
          if (each === 'alive') await stream.write(': alive\n\n');
          else await stream.writeSSE({ event: each.kind, data: JSON.stringify(each.data) });
        }
      });
      // A connection kept open after its end would delay the relay's stop.
      response.headers.set('connection', 'close');
      return response;
    },
    'POST /api/runtimes/{runtime_id}/takeover': control('takeover'),
    'POST /api/runtimes/{runtime_id}/handback': control('handback'),
    async 'POST /api/runtimes/{runtime_id}/check'({ params: { runtime_id }, refuse }) {
      const tab = tabOf(runtime_id);
      const { map_id } = mapsOf(tab ? [tab] : []).runtimes[0] ?? {};
      if (tab === undefined || !map_id) return refuse('not_found', NO_MAP_THERE);
      const report = await checkMap(bridge, tab, () => clock.now(), schemas);
      checked.set(map_id, report);
      return report;
    },
    async 'GET /api/prompts/{prompt_id}/picture'({ params, refuse }) {
      const question = questions.askedAs(params.prompt_id);
      const tab = tabOf(question?.runtime_id);
      const picture =
        question && tab && (await pictureForQuestion(options, tab, callers.elementOf(question.call_id)));
      return picture ?? refuse('not_found', NO_PICTURE);
    },
    'GET /api/maps': mapsAndChecks,
    'GET /api/grants': () => ({ grants: bridge.runtimes().flatMap(grantsOf) }),
    async 'POST /api/grants'({ context, identity }) {
      await auth.confirm(context, identity, { act: 'give_back', roles: [], label: 'every lent tab' });
      return { tabs: await renew(identity) };
    },
    async 'POST /api/grants/{runtime_id}'({ context, identity, params, refuse }) {
      const tab = tabOf(params.runtime_id);
      if (tab === undefined) return refuse('not_found', NO_SUCH_RUNTIME);
      await auth.confirm(context, identity, { act: 'give_back_tab', roles: [], label: titleOf(tab) });
      const tabs = await renew(identity, params.runtime_id);
      return tabs > 0 ? { tabs } : refuse('not_found', NO_SUCH_RUNTIME);
    },
    'DELETE /api/grants/{runtime_id}': async ({ identity, params, refuse }) =>
      (await revoke(identity, params.runtime_id)) ? undefined : refuse('not_found', NO_SUCH_RUNTIME),
    'DELETE /api/grants/{runtime_id}/{grant_id}': async ({ identity, params, refuse }) =>
      (await revoke(identity, params.runtime_id, params.grant_id))
        ? undefined
        : refuse('not_found', NO_SUCH_RUNTIME),
  });
}

/** Title of a tab, for the audit. */
const nameOf = (tab: RuntimeView | undefined): JsonObject => (tab === undefined ? {} : { tab: titleOf(tab) });

const titleOf = ({ ready }: RuntimeView): string => plainLine(ready.title || ready.url, MAX_NAME_CHARS);

const MAX_NAME_CHARS = 200;

/** A tab for people. */
export function summaryOf({ runtime_id, ready, status, liveness }: RuntimeView): Tab {
  const { title, host, runtime_key, manifest } = ready;
  const tools = toolNamesOf(manifest);
  return {
    runtime_id,
    ...(runtime_key !== undefined && { runtime_key }),
    url: status?.url ?? ready.url,
    ...(title !== undefined && { title }),
    ...(host !== undefined && { host }),
    liveness,
    states: status?.states ?? [],
    tools,
  };
}

function toolNamesOf(manifest: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const tools = manifest?.['tools'];
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: { name?: unknown }) => tool.name).filter((name) => typeof name === 'string');
}

const grantsOf = ({ runtime_id, ready, grants = [] }: RuntimeView) =>
  grants.map((grant) => ({ runtime_id, title: ready.title ?? ready.url, ...grant }));

const NO_SUCH_TAB = 'No browser tab of this id is connected. GET /api/runtimes lists those that are.';
const NO_MAP_THERE = 'No browser tab of this id is connected, or no map applies to its page.';
const NO_PICTURE = 'This decision is over, or its browser gives no picture. Decide by its words.';
const NO_TASK_THERE = 'No task runs in this tab: there is nothing to take over, or to hand back.';
const NO_SUCH_RUNTIME =
  'No browser tab of this id is connected, or it keeps its own grants. GET /api/runtimes lists those that are.';
