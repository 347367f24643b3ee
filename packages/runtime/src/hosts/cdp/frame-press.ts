import type { ActionRefused, Confirmed, PreparedPress, Rechecked } from '@drawbridge/page';
import type { Point } from '../../host.ts';
import { type PageFrame, positionInTab, showInTab } from './page-frame.ts';

/** Swallows input in every document of the tab except the target of a press. */
export interface Shield {
  readonly raise: (token: string) => Promise<void>;
  /** Returns the element that swallowed input would have reached. Ignores a token other than the current press's. */
  readonly lower: (token: string) => Promise<string>;
}

/** Brings the tab in front of the others of its window. Chromium routes input to frames of other sites by what it draws. */
export interface TabFront {
  readonly isActive: () => boolean;
  readonly activate: () => Promise<void>;
}

export const ALWAYS_IN_FRONT: TabFront = { isActive: () => true, activate: async () => {} };

export const NO_SHIELD: Shield = { raise: async () => {}, lower: async () => '' };

/** Presses in the frames of a tab: translates frame coordinates to the tab's. */
export type FramePresses = ReturnType<typeof createFramePresses>;

export const isPress = (name: string): boolean => name === 'preparePress' || name === 'act.prepare_press';

/** Calls about a prepared press, by its token. */
export const TOKENED: ReadonlySet<string> = new Set([
  'recheckPress',
  'hasLanded',
  'pressPrepared',
  'pressBriefly',
  'confirm',
  'releasePress',
]);

/** After these calls no input is in progress. */
export const ENDS_PRESS: ReadonlySet<string> = new Set(['confirm', 'releasePress']);

interface Aim {
  readonly token: string;
  readonly inside: Point;
  readonly inTab: Point;
}

/** A target that moved further than this has moved. */
const NEAR_PX = 1;

const DRAWN = { quietMs: 50, timeoutMs: 500 };

export function createFramePresses(shield: Shield, front: TabFront) {
  let aim: Aim | undefined;

  const comeToFront = async (frame: PageFrame): Promise<void> => {
    await front.activate();
    await frame.call('untilStable', [DRAWN]);
  };

  /** A press point in tab coordinates; refused when the frame is covered there. */
  const inTab = async (frame: PageFrame, prepared: Prepared): Promise<Prepared> => {
    if (!prepared.ok || frame.holder === undefined) return prepared;
    const { covered, ...point } = await showInTab(frame, prepared.point);
    if (covered) return { ok: false, action: 'click', error: coveredFrame({ id: prepared.id }) };
    const places = await Promise.all((prepared.path ?? []).map((each) => positionInTab(frame, each)));
    if (places.some((place) => place.covered))
      return { ok: false, action: 'drag', error: coveredFrame({ id: prepared.id }) };
    const path = places.map(({ x, y }) => ({ x, y }));
    const token = `${frame.prefix}${prepared.token}`;
    aim = { token, inside: prepared.point, inTab: point };
    return { ...prepared, point, token, ...(path.length > 0 && { path }) };
  };
  const isCovered = async (frame: PageFrame, token: string): Promise<boolean> => {
    if (frame.holder === undefined || aim?.token !== token) return false;
    const { covered, x, y } = await positionInTab(frame, aim.inside);
    return covered || Math.hypot(x - aim.inTab.x, y - aim.inTab.y) > NEAR_PX;
  };

  /** Where a frame's moving element is in the tab. */
  const follows = async (frame: PageFrame, token: string, inside: Point): Promise<Point> => {
    const { x, y } = await positionInTab(frame, inside);
    aim = { token, inside, inTab: { x, y } };
    return { x, y };
  };

  return {
    async prepare(frame: PageFrame, name: string, args: readonly unknown[]): Promise<unknown> {
      const [pressTarget] = args;
      if (frame.holder !== undefined && !front.isActive()) await comeToFront(frame);
      // A point is already in view, and scrolling would move it.
      if (typeof pressTarget === 'string')
        for (let inner = frame; inner.holder !== undefined; inner = inner.holder) await inner.show();
      const answer = await frame.call(name, args);
      if (name === 'preparePress') return inTab(frame, trustPrepared(answer));
      const { press, elementContext } = asPreparedAnswer(answer);
      if (press.ok && isFocus(pressTarget))
        return { press: { ...press, token: `${frame.prefix}${press.token}` }, elementContext };
      return { press: await inTab(frame, press), elementContext };
    },
    /** Confirms or releases a prepared press by its token. */
    async follow(frame: PageFrame, name: string, [given, ...rest]: readonly unknown[]): Promise<unknown> {
      const token = String(given);
      const call = () => frame.call(name, [token.slice(frame.prefix.length), ...rest]);
      if (name === 'recheckPress') {
        const [checked] = await Promise.all([call(), shield.raise(token)]);
        const moved = trustRechecked(checked);
        if (!moved.ok) return checked;
        const point = moved.point && frame.holder && (await follows(frame, token, moved.point));
        if (!(await isCovered(frame, token))) return point ? { ...moved, point } : checked;
        return { ok: false, action: 'click', error: coveredFrame({}) };
      }
      if (!ENDS_PRESS.has(name)) return call();
      const cover = await shield.lower(token);
      const confirmed = trustConfirmed(await call());
      if (confirmed.ok) return confirmed;
      // A person may have taken another tab in front: the press missed the frame, or reached the page under it.
      if (frame.holder !== undefined) await comeToFront(frame).catch(() => undefined);
      if (cover === '' && frame.holder !== undefined && isMissed(confirmed))
        return { ok: false, action: 'click', error: inBackground() };
      if (cover === '') return confirmed;
      return { ok: false, action: 'click', error: coveredFrame({ cover }) };
    },
  };
}

/** Keys have no point. */
const isFocus = (pressTarget: unknown): boolean =>
  typeof pressTarget === 'object' && pressTarget !== null && 'focused' in pressTarget;

function coveredFrame(facts: { readonly id?: string; readonly cover?: string }): ActionRefused['error'] {
  const message =
    facts.cover === undefined
      ? 'Something lies over the frame there: close it, then try again.'
      : `The press would have reached ${facts.cover} in another frame: nothing was done.`;
  return { code: 'state_mismatch', message, evidence: { reason: 'covered', ...facts } };
}

const isMissed = (confirmed: Confirmed): boolean =>
  !confirmed.ok && confirmed.error.evidence['reason'] === 'not_pressed';

function inBackground(): ActionRefused['error'] {
  const message =
    'No press reached the frame of another site, which takes none while another tab is in front. This tab is in front now: press again.';
  return { code: 'handler_failed', message, evidence: { reason: 'not_pressed' } };
}

type Prepared = PreparedPress | ActionRefused;

// Trusted: the page code is ours.

function trustPrepared(value: unknown): Prepared {
  return value as Prepared;
}

function asPreparedAnswer(value: unknown): { readonly press: Prepared; readonly elementContext: unknown } {
  return value as { readonly press: Prepared; readonly elementContext: unknown };
}

function trustRechecked(value: unknown): Rechecked {
  return value as Rechecked;
}

function trustConfirmed(value: unknown): Confirmed {
  return value as Confirmed;
}
