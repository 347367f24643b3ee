import { join } from 'node:path';
import { BridgeError } from '@drawbridge/protocol';
import type { ControlPlane } from '../../address/control-plane.ts';
import type { LocalNetwork } from '../../address/local-network.ts';
import { surfaceScript } from '../../bundle/runtime-bundle.ts';
import type { SurfaceHost } from '../../host.ts';
import { CdpBrowser, type TargetKind } from './browser.ts';
import { type ProcessOptions, startBrowser } from './browser-process.ts';
import type { DownloadLimits } from './download-quota.ts';
import { openSocketWire } from './wire.ts';

export interface LaunchOptions extends ProcessOptions {
  /** Page code as one script; ours by default. */
  readonly script?: () => Promise<string>;
  /** Address of the first tab. */
  readonly url?: string;
  /** The download folder; by default in the profile folder, and removed with it. */
  readonly downloads?: string;
  readonly downloadLimits?: DownloadLimits;
  /** Folders of this machine whose files an agent may upload by path. */
  readonly uploadFolders?: readonly string[];
  readonly controlPlane?: ControlPlane;
  readonly localNetwork?: LocalNetwork;
}

const surfaceCode = async () => (await surfaceScript()).code;

/** Launches a browser and lends every tab of it. The browser ends with `close`, and with this process. */
export async function launchBrowser(options: LaunchOptions): Promise<CdpBrowser> {
  const process = await startBrowser(options);
  const browser = await CdpBrowser.open({
    wire: process.wire,
    script: options.script ?? surfaceCode,
    lending: 'all',
    downloads: options.downloads ?? join(process.profile, 'drawbridge-downloads'),
    ...(options.downloadLimits && { downloadLimits: options.downloadLimits }),
    ...(options.uploadFolders && { uploadFolders: options.uploadFolders }),
    end: process.close,
    ...addressesOf(options),
  });
  try {
    const first = await firstTab(browser);
    if (options.url !== undefined) {
      browser.localNetwork.open(options.url);
      await first.tabs?.navigate({ url: options.url });
    }
    return browser;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** The tab that every browser starts with, once page code runs in it. */
function firstTab(browser: CdpBrowser): Promise<SurfaceHost> {
  return new Promise((resolve, reject) => {
    const wait = (surface: SurfaceHost) => {
      const stop = surface.onEvent(({ kind, ...event }) => {
        if (kind === 'closed') reject(ended('reason' in event ? event.reason : ''));
        if (kind !== 'ready' && kind !== 'closed') return;
        queueMicrotask(() => stop());
        resolve(surface);
      });
    };
    const [there] = browser.surfaces();
    if (there !== undefined) wait(there);
    else browser.onSurface(({ kind, surface }) => kind === 'added' && wait(surface));
  });
}

function ended(reason: string): BridgeError {
  return new BridgeError('transport_failed', `The browser did not start: ${reason}. Start it again.`);
}

export interface AttachOptions {
  /** `http://127.0.0.1:9222`, or the browser's own `ws://…/devtools/browser/…`. */
  readonly endpoint: string;
  readonly script?: () => Promise<string>;
  /** Defaults to pages. */
  readonly kinds?: readonly TargetKind[];
  readonly uploadFolders?: readonly string[];
  readonly controlPlane?: ControlPlane;
  readonly localNetwork?: LocalNetwork;
}

const addressesOf = ({
  controlPlane,
  localNetwork,
}: Pick<AttachOptions, 'controlPlane' | 'localNetwork'>) => ({
  ...(controlPlane && { controlPlane }),
  ...(localNetwork && { localNetwork }),
});

/** Attaches to a browser with a debugging port. No tab is lent until `lend` names it. */
export async function attachBrowser(options: AttachOptions): Promise<CdpBrowser> {
  const { endpoint, script = surfaceCode, kinds, uploadFolders } = options;
  try {
    const wire = await openSocketWire(await socketAddress(endpoint));
    return await CdpBrowser.open({
      wire,
      script,
      lending: 'one_by_one',
      ...(kinds && { kinds }),
      ...(uploadFolders && { uploadFolders }),
      ...addressesOf(options),
    });
  } catch (error) {
    if (error instanceof BridgeError) throw error;
    const message = `No browser answers at ${endpoint}. Start one with --remote-debugging-port, then try again.`;
    throw new BridgeError('transport_failed', message, { evidence: { endpoint }, cause: error });
  }
}

async function socketAddress(endpoint: string): Promise<string> {
  if (/^wss?:/.test(endpoint)) return endpoint;
  const answer = await fetch(new URL('/json/version', endpoint));
  const version: unknown = await answer.json();
  const address: unknown =
    typeof version === 'object' && version !== null
      ? Reflect.get(version, 'webSocketDebuggerUrl')
      : undefined;
  if (typeof address !== 'string') throw new Error('The answer names no debugging socket.');
  return address;
}
