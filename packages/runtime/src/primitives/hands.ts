import { BridgeError } from '@drawbridge/protocol';
import type { OutputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import { DocumentLeft, type SurfaceHost } from '../host.ts';
import type { Journey } from './journey.ts';
import type { PrimitiveContext } from './primitive-context.ts';

/** A context, and what a handler does most with it. */
export interface Hands extends PrimitiveContext {
  readonly journey: Journey;
  /** Calls page code; the answer is typed by who asks, and tests hold it to its schema. */
  readonly page: <Answer>(name: string, ...args: readonly unknown[]) => Promise<Answer>;
  /** Calls the page side of a primitive by its own name. */
  readonly inPage: <Name extends PrimitiveName>(name: Name, args: object) => Promise<OutputOf<Name>>;
}

export function createHands(context: PrimitiveContext, journey: Journey): Hands {
  const { host, cancellation, origin } = context;
  const page = async <Answer>(name: string, ...args: readonly unknown[]): Promise<Answer> =>
    parseAnswer(await host.callPage(name, args, cancellation));
  return {
    ...context,
    journey,
    page,
    inPage: (name, args) => page(name, args, origin === undefined ? {} : { origin }),
  };
}

function parseAnswer<Answer>(value: unknown): Answer {
  return value as Answer;
}

export type LeftBehind = NonNullable<OutputOf<'pointer.click'>['left']>;

/** After something was pressed: whether the document leaves for it, and where it has gone. */
export async function leavingAfter(hands: Hands): Promise<{ readonly left?: LeftBehind }> {
  const { journey, host } = hands;
  const to = await hands
    .page<{ readonly to: string | null }>('page.leaving')
    .then((leaving) => leaving.to)
    .catch((error: unknown) => {
      if (error instanceof DocumentLeft) return host.surface().url;
      throw error;
    });
  if (to === null && !journey.hasLeft()) return {};
  const arrived = await journey.arrival();
  const refusal = journey.refusal();
  if (refusal !== undefined) throw refusal;
  if (journey.isDownload()) return {};
  if (arrived === undefined && to !== null) await hands.requireAddress?.(to);
  return {
    left: {
      navigation: 'document',
      from: journey.from,
      to: arrived?.url ?? to ?? '',
      arrived: arrived !== undefined,
    },
  };
}

/** BRG-97: names what is missing and who lacks it. */
export function lacking(capability: string, host: SurfaceHost, advice: string): BridgeError {
  return new BridgeError('capability_unavailable', `The ${host.kind} host has no ${capability}. ${advice}`, {
    evidence: { capability, host: host.kind },
  });
}

/** Texts that the host has from elsewhere than the page, without what is secret there. */
export async function masked(texts: readonly string[], { page }: Hands): Promise<readonly string[]> {
  return (await page<{ texts: readonly string[] }>('secrets.mask', { texts })).texts;
}
