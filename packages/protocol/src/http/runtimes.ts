import { type Static, Type } from 'typebox';
import type { HeldGrant } from '../bridge/features.ts';
import type { EffectClass } from '../permission/asker.ts';
import { defineRoutes, type Frozen, listOf, named, shape, wholeNumber } from './route.ts';

/** A lent tab. */
export interface Tab {
  readonly runtime_id: string;
  readonly runtime_key?: string;
  readonly url: string;
  readonly title?: string;
  readonly host?: string;
  /** Name of the device whose browser it is in. */
  readonly browser?: string;
  readonly liveness: 'awake' | 'quiet';
  readonly states: readonly string[];
  /** Names of the tools of its map. */
  readonly tools: readonly string[];
  /** Agents whose last call was in this tab. */
  readonly agents?: readonly AgentInTab[];
}

export interface AgentInTab {
  readonly session_id: string;
  readonly name: string;
  /** The person who took over from it. */
  readonly paused_by?: string;
}

export interface TabGrant extends HeldGrant {
  readonly runtime_id: string;
  readonly title: string;
}

/** Result of a map check. */
export interface MapCheckReport {
  readonly at: number;
  readonly url: string;
  /** No check failed, and every check could be run. */
  readonly ok: boolean;
  readonly checks: readonly {
    readonly id: string;
    /** `skipped`: about another page, or another state of this one. */
    readonly status: 'pass' | 'fail' | 'skipped' | 'error';
    readonly why: string | null;
  }[];
  /** Why no check was run. */
  readonly problem?: string;
}

export interface MapView {
  /** The same for the same content. */
  readonly map_id: string;
  readonly name: string;
  readonly version: number | null;
  readonly site: string | null;
  readonly description: string | null;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    /** The tool's effect as the tab declares it; null when it does not. */
    readonly effect: EffectClass | null;
  }[];
  readonly checks: readonly {
    readonly id: string;
    readonly description: string | null;
    readonly severity: string | null;
  }[];
  readonly states: readonly string[];
  /** Tabs that it applies to. */
  readonly runtimes: readonly string[];
}

export interface CheckedMap extends MapView {
  readonly last_check: MapCheckReport | null;
}

export interface MapOfTab {
  readonly runtime_id: string;
  readonly title: string;
  readonly url: string;
  /** Null: no map applies to the page. */
  readonly map_id: string | null;
}

export interface NamedSession {
  readonly session_id: string;
  readonly name: string;
}

export interface HaltReport {
  readonly interrupted: readonly NamedSession[];
  /** Agents that were idle (CHT-241). */
  readonly idle: readonly NamedSession[];
  readonly failed: readonly {
    /** Absent when it does not concern an agent. */
    readonly session_id?: string;
    readonly name: string;
    readonly reason: string;
  }[];
  readonly calls_cancelled: number;
}

/** The tabs that the agent of a session may use now. */
export type LentTabs =
  | {
      readonly lent: false;
      /** A person has refused it or taken it back, so the agent does not ask. */
      readonly taken: boolean;
    }
  | {
      readonly lent: true;
      /** Every lent tab without. */
      readonly origins?: readonly string[];
      readonly tabs: readonly Tab[];
      /** The tab of its last call. */
      readonly tab: string | null;
      /** Other agents whose last call was in that tab. */
      readonly beside?: readonly AgentInTab[];
      /** The agent came by itself: it may go on when a person writes. */
      readonly came?: true;
      /** Calls are refused until a person writes. */
      readonly stopped?: true;
      /** Calls wait while this person works in the browser. */
      readonly paused_by?: string;
    };

const Text = Type.String();
const anything = shape<object>();
const runtime_id = 'The runtime.';
const ofTabs = { tag: 'runtimes', access: 'home' } as const;

/** Lent tabs, their pages, maps and grants. */
export const RUNTIMES = defineRoutes({
  'GET /api/runtimes': {
    ...{ ...ofTabs, operation: 'listRuntimes', summary: 'The lent tabs.' },
    reply: listOf('runtimes', shape<Tab>()),
  },
  'GET /api/runtimes/{runtime_id}/view': {
    ...{ ...ofTabs, operation: 'watchRuntime', summary: "The tab's live view.", params: { runtime_id } },
    stream: { type: 'text/event-stream', description: 'Pictures and actions, as server-sent events.' },
    refuses: ['not_found'],
  },
  'POST /api/runtimes/{runtime_id}/takeover': {
    ...{ ...ofTabs, operation: 'takeOverRuntime', params: { runtime_id }, status: 307 },
    summary: "Pause the tab's task while a person works.",
    refuses: ['not_found'],
  },
  'POST /api/runtimes/{runtime_id}/handback': {
    ...{ ...ofTabs, operation: 'handBackRuntime', params: { runtime_id }, status: 307 },
    summary: "Resume the tab's task.",
    refuses: ['not_found'],
  },
  'POST /api/runtimes/{runtime_id}/check': {
    ...{ ...ofTabs, operation: 'checkMap', params: { runtime_id } },
    summary: "Whether the tab's map still fits the page.",
    ...{ reply: shape<MapCheckReport>(), refuses: ['not_found'] },
  },
  'GET /api/prompts/{prompt_id}/picture': {
    ...{ ...ofTabs, operation: 'pictureOfPrompt', params: { prompt_id: 'The prompt.' } },
    summary: 'The page that an open question of a browser is about, as it looks now.',
    reply: Type.Unsafe<QuestionPicture>(
      Type.Object({
        image: Text,
        mime_type: Type.Optional(Text),
        width: Type.Optional(wholeNumber),
        height: Type.Optional(wholeNumber),
        box: Type.Optional(anything),
      }),
    ),
    refuses: ['not_found'],
  },
  'GET /api/maps': {
    ...{ ...ofTabs, operation: 'listMaps' },
    summary: 'The maps of the lent tabs, and their last checks.',
    reply: Type.Unsafe<{ readonly maps: readonly CheckedMap[]; readonly runtimes: readonly MapOfTab[] }>(
      Type.Object({
        maps: Type.Optional(Type.Array(anything)),
        runtimes: Type.Optional(Type.Array(anything)),
      }),
    ),
  },
  'GET /api/grants': {
    ...{ ...ofTabs, operation: 'listGrants', summary: 'The grants of the lent tabs.' },
    reply: listOf('grants', shape<TabGrant>()),
  },
  'POST /api/grants': {
    ...{ ...ofTabs, operation: 'renewGrants', reply: Type.Object({ tabs: Type.Integer() }) },
    summary:
      'Give agents reading and acting back in every lent tab, after a stop (BRG-200). A browser confirms it.',
  },
  'POST /api/grants/{runtime_id}': {
    ...{ ...ofTabs, operation: 'renewGrantsOfTab', params: { runtime_id } },
    summary: 'Give agents reading and acting back in one tab (BRG-200). A browser confirms it.',
    ...{ reply: Type.Object({ tabs: Type.Integer() }), refuses: ['not_found'] },
  },
  'DELETE /api/grants/{runtime_id}': {
    ...{ ...ofTabs, operation: 'revokeGrants', params: { runtime_id } },
    ...{ summary: 'Revoke all grants of one tab.', refuses: ['not_found'] },
  },
  'DELETE /api/grants/{runtime_id}/{grant_id}': {
    ...{ ...ofTabs, operation: 'revokeGrant', params: { runtime_id, grant_id: 'The grant.' } },
    ...{ summary: 'Revoke one grant.', refuses: ['not_found'] },
  },
});

/** A picture of the page with secrets covered, and the element that would be used. */
export interface QuestionPicture {
  /** Base64. */
  readonly image: string;
  readonly mime_type: 'image/jpeg' | 'image/png';
  readonly width: number;
  readonly height: number;
  /** In the picture's own pixels: left, top, width, height. */
  readonly box?: readonly [number, number, number, number];
}

/** Maps for a browser without a folder of maps. */
export const MAP_FOR = defineRoutes({
  'GET /api/maps/for': {
    ...{ operation: 'mapFor', tag: 'runtimes', access: 'browser' },
    summary: 'The map of a page, for a browser that has no folder of maps.',
    query: { url: { description: 'The address of the page.', required: true } },
    reply: Type.Object({
      map: anything,
      trust: Text,
      tool_trust: Type.Optional(anything),
      address: Type.Optional(Text),
    }),
    refuses: ['invalid_request', 'not_found'],
  },
});

export const HALT = defineRoutes({
  'POST /api/halt': {
    ...{ ...ofTabs, operation: 'halt', reply: shape<HaltReport>() },
    summary: 'Stop everything: every agent, every task, every running grant.',
  },
});

const DemoView = Type.Object({
  /** `none`: this relay has no demo. */
  state: Type.Enum(['none', 'ready', 'playing', 'played', 'failed']),
  said: Type.String({ description: 'The last event of the demo, in one sentence.' }),
  done: Type.Array(Text, { description: 'The results of the parts that are over.' }),
  session_id: Type.Optional(
    Type.String({ description: 'The conversation of the agent that the demo launched.' }),
  ),
});
export type DemoView = Frozen<Static<typeof DemoView>>;

export const DEMO = defineRoutes({
  'GET /api/demo': {
    ...{ ...ofTabs, operation: 'demo', reply: DemoView },
    summary: 'Whether a demo can be played here, and its progress.',
  },
  'POST /api/demo': {
    ...{ operation: 'playDemo', tag: 'runtimes', access: 'owner_at_home', reply: DemoView, status: 202 },
    summary: 'Play the demo. Owners only; not while it is being played.',
    refuses: ['not_found', 'demo_playing', 'unavailable'],
  },
});

const Dollars = Type.Number({ minimum: 0, maximum: 10_000 });
const Provider = Type.Enum(['anthropic', 'openai', 'google', 'compatible']);
const Price = Type.Object(
  { input: Dollars, output: Dollars, cached: Type.Optional(Dollars) },
  { description: 'US dollars per million tokens. Without it, the cost of tasks is unknown.' },
);
const ModelView = Type.Object({
  source: Type.Enum(['settings', 'environment', 'rules']),
  provider: Type.Optional(Text),
  model: Type.Optional(Text),
  base_url: Type.Optional(Text),
  has_key: Type.Optional(Type.Boolean()),
  /** Why the model cannot decide: a missing variable, or an unreadable file. */
  problem: Type.Optional(Text),
  price: Type.Optional(Price),
});
/** Public settings of the model, without the key. */
export type ModelView = Frozen<Static<typeof ModelView>>;

export const MODEL_SCHEMAS = { ModelView };

const Model = named('ModelView', ModelView);
const ofModel = { tag: 'runtimes', access: 'owner', bytes: 16_384, reply: Model } as const;

/** Which model decides. The key can be set but never read. */
export const MODEL = defineRoutes({
  'GET /api/settings/model': {
    ...{ ...ofModel, operation: 'modelSettings', access: 'home' },
    summary: 'Which model decides; never its key. Only owners get more than its name.',
  },
  'PUT /api/settings/model': {
    ...{ ...ofModel, operation: 'chooseModel', summary: 'Choose the model that decides.' },
    body: Type.Object({
      provider: Provider,
      model: Text,
      base_url: Type.Optional(Text),
      price: Type.Optional(
        Type.Unsafe<Static<typeof Price> | null>({
          type: ['object', 'null'],
          description: '`input`, `output` and perhaps `cached`: US dollars per million tokens.',
        }),
      ),
      api_key: Type.Optional(
        Type.String({
          description: 'If absent, the key that is set for the same provider and address stays.',
        }),
      ),
    }),
    refuses: ['invalid_request'],
  },
  'DELETE /api/settings/model': {
    ...{ ...ofModel, operation: 'forgetModel' },
    summary: 'Go back to the model of the environment, or to rules.',
  },
});
