import { BridgeError } from '@drawbridge/protocol';
import type { OutputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import { DocumentLeft, type SurfaceHost } from '../host.ts';
import type { NavigationWatch } from './navigation-watch.ts';
import type { PrimitiveContext } from './primitive-context.ts';

/** The primitive context with shortcuts for handlers. */
export interface HandlerContext extends PrimitiveContext {
  readonly navigation: NavigationWatch;
  /** Requests that start later are those of this call. */
  readonly requestMark: number;
  /** Calls page code. The caller types the answer, and tests validate it against its schema. */
  readonly page: <Answer>(name: string, ...args: readonly unknown[]) => Promise<Answer>;
  readonly inPage: <Name extends PrimitiveName>(name: Name, args: object) => Promise<OutputOf<Name>>;
}

export type LeftBehind = NonNullable<OutputOf<'pointer.click'>['left']>;

/** After a press: whether the document leaves, and its destination. */
export async function leavingAfter(context: HandlerContext): Promise<{ readonly left?: LeftBehind }> {
  const { navigation, host } = context;
  const to = await context
    .page<{ readonly to: string | null }>('page.leaving')
    .then((leaving) => leaving.to)
    .catch((error: unknown) => {
      if (error instanceof DocumentLeft) return host.surface().url;
      throw error;
    });
  if (to === null && !navigation.hasLeft()) return {};
  const arrived = await navigation.arrival();
  const refusal = navigation.refusal();
  if (refusal !== undefined) throw refusal;
  if (navigation.isDownload()) return {};
  if (arrived === undefined && to !== null) await context.requireAddress?.(to);
  return {
    left: {
      navigation: 'document',
      from: navigation.from,
      to: arrived?.url ?? to ?? '',
      arrived: arrived !== undefined,
    },
  };
}

/** BRG-97: names the missing capability and the host that lacks it. */
export function lacking(capability: string, host: SurfaceHost, advice: string): BridgeError {
  return new BridgeError('capability_unavailable', `The ${host.kind} host has no ${capability}. ${advice}`, {
    evidence: { capability, host: host.kind },
  });
}

/** Masks secrets in texts that the host got from outside the page. */
export async function masked(texts: readonly string[], { page }: HandlerContext): Promise<readonly string[]> {
  return (await page<{ texts: readonly string[] }>('secrets.mask', { texts })).texts;
}
