import { type Evaluator, type RawExtraction, readState, shapeRecords } from '@drawbridge/manifest';
import type { Activity } from '@drawbridge/protocol';
import type { ExtractEntry, Manifest } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '@drawbridge/runtime';
import { hasState, STATES } from './panel-map.ts';

export interface PanelMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly kind?: 'thought' | 'tool_call';
  readonly result?: string;
  /** The panel's key, if it has one. */
  readonly key?: string;
}

export interface PanelChoice {
  /** Full text of the button. */
  readonly says: string;
  readonly label: string;
  readonly choice: string;
}

export interface PanelPrompt {
  /** Identifies the dialog's element: another dialog with the same words has another. */
  readonly instance: string;
  readonly text: string;
  readonly choices: readonly PanelChoice[];
}

/** State of a panel at one moment, read by its map. */
export interface PanelView {
  readonly messages: readonly PanelMessage[];
  readonly draft: string;
  readonly lastUser: string;
  readonly prompt?: PanelPrompt;
  readonly model?: string;
  readonly mode?: string;
  /** The panel's name for the permission, if it differs from the shown mode. */
  readonly permission?: string;
  readonly activity: Activity;
}

/** Extracted values before the map's expressions, as text for change detection. */
export interface Extracted {
  readonly text: string;
  readonly of: (projection: string) => RawExtraction;
}

const LIMITS = { maxExpressionBytes: 1_500_000, maxStateBytes: 1_500_000 };

/** Reads all projections at once, so that they agree. */
export async function extractPanel(map: Manifest, host: SurfaceHost): Promise<Extracted> {
  const entries = entriesOf(map).map(({ projection, entry }) => ({
    ...entry,
    id: `${projection} ${entry.id}`,
  }));
  const { url, title, matches } = trustExtraction(await host.callPage('extract', [entries]));
  const of = (projection: string): RawExtraction => {
    const own = Object.entries(matches).flatMap(([id, found]) => {
      const [owner, name = ''] = id.split(' ');
      return owner === projection ? [[name, found] as const] : [];
    });
    return { url, title, matches: Object.fromEntries(own) };
  };
  return { text: JSON.stringify([title, matches]), of };
}

function entriesOf({ state_projections = [] }: Manifest) {
  const read: ReadonlySet<string> = new Set(Object.values(STATES));
  return state_projections
    .filter(({ name }) => read.has(name))
    .flatMap(({ name, snapshot }) =>
      trustEntries(snapshot.extract).map((entry) => ({ projection: name, entry })),
    );
}

/** Selectors of all projections, to be watched for changes. */
export const watchedTargets = (map: Manifest): readonly { readonly selectors: string[] }[] =>
  entriesOf(map).flatMap(({ entry }) =>
    entry.selector === undefined ? [] : [{ selectors: [entry.selector].flat() }],
  );

export async function readView(
  map: Manifest,
  extracted: Extracted,
  host: SurfaceHost,
  evaluator: Evaluator,
): Promise<PanelView> {
  const read = async (name: string): Promise<unknown> => {
    if (!hasState(map, name)) return {};
    const { state } = await readState(
      {
        projections: map.state_projections ?? [],
        extractor: { extract: async (entries) => shapeRecords(entries, extracted.of(name)) },
        evaluator,
        clock: { now: Date.now },
        limits: LIMITS,
      },
      { projection_name: name },
    );
    return state;
  };
  const [transcript, composer, permission, config, activity] = await Promise.all([
    read(STATES.transcript),
    read(STATES.composer),
    read(STATES.permission),
    read(STATES.config),
    read(STATES.activity),
  ]);
  const { asks = false, text = '', choices = [] } = trustPermission(permission);
  const instance = asks ? await dialogInstance(map, host) : '';
  const { draft, last_user } = trustComposer(composer);
  return {
    ...trustTranscript(transcript),
    draft,
    lastUser: last_user,
    ...parseConfig(config),
    activity: trustActivity(activity),
    ...(asks && { prompt: { instance, text, choices } }),
  };
}

async function dialogInstance(map: Manifest, host: SurfaceHost): Promise<string> {
  const dialog = entriesOf(map).find(({ projection }) => projection === STATES.permission);
  const selectors = [dialog?.entry.selector ?? []].flat();
  const info = await host.callPage('elementInfo', [{ selectors }, { auto_scroll: false }]);
  return trustId(info);
}

// Already validated by the map's schemas or produced by our page code.

function trustExtraction(value: unknown): RawExtraction {
  return value as RawExtraction;
}

function trustEntries(value: unknown): readonly ExtractEntry[] {
  return value as readonly ExtractEntry[];
}

function trustTranscript(value: unknown): Pick<PanelView, 'messages'> {
  return value as Pick<PanelView, 'messages'>;
}

function trustComposer(value: unknown): { readonly draft: string; readonly last_user: string } {
  return value as { readonly draft: string; readonly last_user: string };
}

function trustPermission(value: unknown) {
  return value as {
    readonly asks?: boolean;
    readonly text?: string;
    readonly choices?: readonly PanelChoice[];
  };
}

function parseConfig(value: unknown): Pick<PanelView, 'model' | 'mode' | 'permission'> {
  const { model, mode, permission } = value as Pick<PanelView, 'model' | 'mode' | 'permission'>;
  return {
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(permission !== undefined && { permission }),
  };
}

function trustActivity(value: unknown): Activity {
  return value as Activity;
}

function trustId(value: unknown): string {
  return (value as { readonly id: string }).id;
}
