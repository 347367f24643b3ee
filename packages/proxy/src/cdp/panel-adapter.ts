import { basename } from 'node:path';
import { BridgeError } from '@drawbridge/protocol';
import { type SurfaceHost, wholeNetwork } from '@drawbridge/runtime';
import { attachBrowser, type CdpBrowser } from '@drawbridge/runtime/cdp';
import { openMapFolder } from '@drawbridge/runtime/node';
import {
  type AgentAdapter,
  type Finding,
  type KnownTarget,
  type LaunchOrder,
  refusal,
  requirePower,
} from '../adapter.ts';
import { Panel, type PanelMeans } from './panel.ts';
import { kindPowers, panelKindOf, TOOLS } from './panel-map.ts';
import { type FoundPanel, signedPanels } from './panel-signature.ts';
import { PanelTarget } from './panel-target.ts';

export interface PanelAdapterOptions extends PanelMeans {
  /** The panel's `actions.json`, reloaded whenever it changes. */
  readonly map: string;
  /** Debugging ports of editors and apps: `http://127.0.0.1:9223`. */
  readonly endpoints: readonly string[];
  readonly workspaces: readonly string[];
  /** How long a conversation is kept after its page went away. */
  readonly graceMs?: number;
  readonly attach?: (endpoint: string) => Promise<CdpBrowser>;
}

const SCAN_MS = 2_000;
/** How long a panel may load before a mismatch counts as drift, and the polling interval. */
const LOADING_MS = 10_000;
const RETRY_MS = 250;
const GRACE_MS = 10_000;
const SETTLE_MS = 10_000;

/** Chat panels of one kind on all debugging ports. */
export async function createPanelAdapter(options: PanelAdapterOptions): Promise<AgentAdapter> {
  const maps = openMapFolder({ files: [options.map] });
  const { offer, problems } = await maps.mapFor('about:blank');
  const kind = offer.ready ? panelKindOf(offer.map) : undefined;
  if (!offer.ready || kind === undefined) {
    maps.close();
    throw new Error(`${options.map} is no map of an agent's panel. ${problems.join(' ')}`);
  }
  const { endpoints, workspaces, after, graceMs = GRACE_MS } = options;
  const { attach = attachPanels } = options;
  const browsers = new Map<string, CdpBrowser>();
  /** Replaced connections that still hold lent tabs. */
  const retired = new Set<CdpBrowser>();
  const troubles = new Map<string, string>();
  const panels = new Map<string, Panel>();
  const targets = new Map<string, PanelTarget>();
  const listeners = new Set<() => void>();
  let cancel = () => {};
  let isClosed = false;
  let seen = '';

  const browserAt = async (endpoint: string): Promise<CdpBrowser | undefined> => {
    const open = browsers.get(endpoint);
    if (open !== undefined) return open;
    try {
      const browser = await attach(endpoint);
      browsers.set(endpoint, browser);
      troubles.delete(endpoint);
      return browser;
    } catch (error) {
      troubles.set(endpoint, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };

  /** All panels of this kind, lent or not. */
  const find = async (): Promise<readonly FoundPanel[]> => {
    const found = await Promise.all(
      endpoints.map(async (endpoint) => {
        const tabs = (await browserAt(endpoint))?.knownTabs() ?? [];
        return tabs
          .filter(({ url }) => kind.url_contains.some((part) => url.includes(part)))
          .map(({ target_id, url, title }) => ({ endpoint, target_id, url, title }));
      }),
    );
    return found.flat();
  };

  const panelOf = async ({ endpoint, target_id }: FoundPanel): Promise<Panel | undefined> => {
    const known = panels.get(target_id);
    if (known !== undefined) return known;
    const browser = browsers.get(endpoint);
    const host: SurfaceHost | undefined = await browser?.lend(target_id).catch(() => undefined);
    if (host === undefined) return undefined;
    const panel = new Panel({
      host,
      maps,
      means: options,
      onClosed: () => lost(endpoint, target_id),
    });
    panels.set(target_id, panel);
    return panel;
  };

  function lost(endpoint: string, target_id: string): void {
    panels.delete(target_id);
    const browser = browsers.get(endpoint);
    // A lost tab and a lost connection look the same: reconnect to the port.
    browsers.delete(endpoint);
    if (browser?.surfaces().length === 0) void browser.close();
    else if (browser !== undefined) retired.add(browser);
    after(graceMs, () => {
      for (const [signature, target] of targets) {
        if (!target.panel.isClosed) continue;
        targets.delete(signature);
        target.leave();
      }
    });
    tell();
  }

  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };

  /** A page may come back under another id; its conversation stays the same. */
  const discover = async (known: readonly KnownTarget[]): Promise<readonly PanelTarget[]> => {
    const found = await find();
    const remembered = [
      ...known,
      ...[...targets.values()].map((target) => ({
        signature: target.signature,
        workspace: target.describe().workspace,
        title: target.describe().display_name,
      })),
    ];
    const signed = signedPanels(kind.agent, found, remembered);
    const here = await Promise.all(
      signed.map(async ({ signature, ...each }) => {
        const panel = await panelOf(each);
        if (panel === undefined) return [];
        await panel.settled(AbortSignal.timeout(SETTLE_MS)).catch(() => undefined);
        const open = targets.get(signature);
        if (open !== undefined) {
          if (open.panel !== panel) open.rejoin(panel);
          return [open];
        }
        const before = known.find((one) => one.signature === signature);
        const target = new PanelTarget(
          {
            signature,
            kind,
            workspace: before?.workspace ?? workspaceIn(each.title, workspaces),
            title: before?.title ?? null,
            targetId: each.target_id,
            isKnown: before !== undefined,
          },
          panel,
          options,
        );
        targets.set(signature, target);
        return [target];
      }),
    );
    return here.flat();
  };

  /** A loading panel has no composer yet: nothing was done, so it is retried. */
  const callFresh = async (panel: Panel, signal: AbortSignal): Promise<void> => {
    const endsAt = options.now() + LOADING_MS;
    for (;;) {
      try {
        await panel.call(TOOLS.fresh);
        return;
      } catch (error) {
        const isLoading = error instanceof BridgeError && error.code === 'unsafe_state';
        if (!isLoading || signal.aborted || options.now() >= endsAt) throw error;
        await new Promise<void>((resolve) => after(RETRY_MS, resolve));
      }
    }
  };

  const clear = async (panel: Panel, signal: AbortSignal): Promise<void> => {
    try {
      await callFresh(panel, signal);
    } catch (error) {
      // Some panels clear their conversation shortly after the press.
      const isCleared = () => panel.view?.messages.length === 0;
      const isUnproven = error instanceof BridgeError && error.code === 'state_postcondition_failed';
      if (isUnproven && (await panel.until(isCleared, panel.verifyMs))) return;
      await panel.blame(TOOLS.fresh, error);
      const words = error instanceof Error ? error.message : String(error);
      throw refusal('agent_not_open', `${kind.display_name} began no new conversation. ${words}`, error);
    }
  };

  const scan = async (): Promise<void> => {
    const now = (await find()).map(({ target_id }) => target_id).join(' ');
    if (!isClosed && now !== seen) tell();
    seen = now;
    if (!isClosed) cancel = after(SCAN_MS, () => void scan());
  };

  return {
    name: kind.agent,
    powers: kindPowers(offer.map),
    discover,
    onChange(listener) {
      listeners.add(listener);
      if (listeners.size === 1) void scan();
      return () => listeners.delete(listener);
    },
    async launch({ workspace, title, signal }: LaunchOrder): Promise<PanelTarget> {
      requirePower(kindPowers(offer.map), 'launch', kind.agent);
      const open = await discover([]);
      const free = open.filter((target) => target.describe().activity.kind === 'idle');
      const chosen = free.find((target) => target.describe().workspace === workspace) ?? free[0];
      if (chosen === undefined) throw refusal('agent_not_open', notOpen(kind.display_name, open.length));
      const { panel, signature } = chosen;
      await clear(panel, signal);
      if (signal.aborted) throw refusal('launch_timeout', `${kind.display_name} did not start in time.`);
      chosen.leave();
      const { target_id = '' } = chosen.describe();
      const target = new PanelTarget(
        { signature, kind, workspace, title: title ?? null, targetId: target_id, isKnown: false },
        panel,
        options,
      );
      targets.set(signature, target);
      return target;
    },
    async diagnose(): Promise<readonly Finding[]> {
      const found = await find();
      const ports = endpoints.map((endpoint): Finding => {
        const trouble = troubles.get(endpoint);
        if (trouble !== undefined) return { ok: false, what: trouble, hint: PORT_HINT };
        const count = found.filter((each) => each.endpoint === endpoint).length;
        if (count > 0) return { ok: true, what: `${endpoint} shows ${count} of ${kind.display_name}` };
        return {
          ok: false,
          what: `${endpoint} shows no ${kind.display_name}`,
          hint: 'Open its panel there.',
        };
      });
      await discover([]);
      const drifts = [...targets.values()].flatMap(({ panel: { drift, evidence } }): Finding[] =>
        drift === undefined
          ? []
          : [
              {
                ok: false,
                what: `${drift.check}: ${drift.message}`,
                hint: `Repair ${options.map}. ${evidence}`,
              },
            ],
      );
      return [...ports, ...drifts];
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      cancel();
      await Promise.all([...panels.values()].map((panel) => panel.close()));
      await Promise.all([...browsers.values(), ...retired].map((browser) => browser.close()));
      maps.close();
    },
  };
}

export const attachPanels = (endpoint: string): Promise<CdpBrowser> =>
  attachBrowser({ endpoint, kinds: ['page', 'iframe', 'webview'], localNetwork: wholeNetwork });

const PORT_HINT = 'Start the editor with --remote-debugging-port, and give that port here.';

const notOpen = (name: string, open: number): string =>
  open === 0
    ? `No panel of ${name} is open here. Open one in the editor, then try again.`
    : `Every panel of ${name} is at work. Wait, or open another one.`;

/** A window's title names its folder: `notes.ts — garden — Code`. */
const workspaceIn = (title: string, workspaces: readonly string[]): string =>
  workspaces.find((folder) => title.includes(basename(folder))) ?? workspaces[0] ?? '';
