import type { SurfaceHost } from '../../host.ts';
import { createInPageHost } from './in-page-host.ts';

export interface DirectHostOptions {
  readonly window: Window & typeof globalThis;
  readonly runtimeKey?: string;
}

/** The runtime and the page in one world, with no wire between them. */
export const createDirectHost = ({ window, runtimeKey = 'direct' }: DirectHostOptions): SurfaceHost =>
  createInPageHost({ kind: 'direct', window, runtimeKey });
