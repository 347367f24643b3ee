import { type Beside, type Figure, figure } from '../../scripts/bench/figure.ts';
import type { PressPage } from './press-page.ts';
import { OURS_BY_MCP, OURS_IN_PROCESS } from './press-subject.ts';
import type { PressTimes } from './press-timing.ts';
import { bestPeer, ratioToFloor, ratioToFloorAndPing } from './report.ts';
import { BY_SITE, BY_SNAPSHOT, type ShopFlow } from './shop-flow.ts';

/** One frame at 60 Hz: what a press may take beyond its floor before a person could see it. */
const FRAME_MS = 1_000 / 60;
const MOST_TIMES_FLOOR = 3;

/** One frame plus three times the floor of the same run. */
const mostOver = (floorMs: number | undefined) => ({
  value: FRAME_MS + MOST_TIMES_FLOOR * (floorMs ?? Number.NaN),
});

const isOurs = ({ name }: { readonly name: string }): boolean => name.startsWith('ours');

/** Figures on a page where a snapshot costs next to nothing. */
export function pressFigures(times: readonly PressTimes[], rounds: number): readonly Figure[] {
  const { inProcess, byMcp } = ours(times);
  return [
    figure({
      ...inProcessOf(inProcess, rounds),
      id: 'act.press',
      headline: 'From an agent’s call to the press in the page',
      what: 'bridge.call → press',
      must: mostOver(inProcess?.floor.median),
    }),
    figure({
      ...byMcpOf(byMcp, rounds),
      id: 'act.press.mcp',
      what: 'tools/call → press',
      beside: [floorAndPing(byMcp), ...besideOf(times, ({ toPress }) => toPress.median)],
      must: mostOver(floorAndPing(byMcp).value),
    }),
    figure({
      id: 'act.return.mcp',
      headline: 'From an agent’s call to its answer, with what came of it',
      what: 'tools/call → answer',
      unit: 'ms',
      better: 'less',
      ours: byMcp?.toReturn.median,
      beside: best(besideOf(times, ({ toReturn }) => toReturn.median)),
      how: `median of ${rounds} presses of one button; ours has waited for the effect and says it`,
    }),
  ];
}

/** Time to the answer on another kind of page. */
export function answerFigure(
  { kind, name }: PressPage,
  times: readonly PressTimes[],
  rounds: number,
): Figure {
  return figure({
    id: `act.return.${kind}`,
    what: `tools/call → answer, ${name}`,
    unit: 'ms',
    better: 'less',
    ours: ours(times).byMcp?.toReturn.median,
    beside: best(besideOf(times, ({ toReturn }) => toReturn.median)),
    how: `median of ${rounds} presses`,
  });
}

/** Figures on a page with thousands of elements. */
export function longPressFigures(times: readonly PressTimes[], rounds: number): readonly Figure[] {
  const { inProcess, byMcp } = ours(times);
  return [
    figure({
      ...inProcessOf(inProcess, rounds),
      id: 'act.press.long',
      what: 'bridge.call → press, on a page of thousands',
      must: mostOver(inProcess?.floor.median),
    }),
    figure({
      ...byMcpOf(byMcp, rounds),
      id: 'act.press.mcp.long',
      what: 'tools/call → press, on a page of thousands',
      beside: [floorAndPing(byMcp), ...besideOf(times, ({ toPress }) => toPress.median)],
      must: mostOver(floorAndPing(byMcp).value),
    }),
  ];
}

export function flowFigures(flows: readonly ShopFlow[]): readonly Figure[] {
  const peers = flows.filter((flow) => !isOurs(flow));
  const first = bestPeer(flows);
  const beside = [first, ...peers.filter((peer) => peer !== first)].map(
    (peer) => peer && { name: peer.name, value: peer.tokens, isPeer: true as const },
  );
  const tokensOf = (name: string) => flows.find((flow) => flow.name === name)?.tokens;
  const flow = {
    unit: 'tokens',
    better: 'less',
    beside,
    must: { ratio: 1 / 3 },
    aim: { ratio: 1 / 10 },
    how: 'calls and answers by o200k from the start page to the payment dialog, by one scripted agent from what it was told; schemas apart',
  } as const;
  const surfaces = peers.map((peer) => ({
    name: peer.name,
    value: peer.surfaceTokens ?? Number.NaN,
    isPeer: true as const,
  }));
  return [
    figure({
      ...flow,
      id: 'act.flow',
      headline: 'Tokens of a ten-step purchase',
      what: 'a ten-step purchase by snapshot and act',
      ours: tokensOf(BY_SNAPSHOT),
    }),
    figure({
      ...flow,
      id: 'act.flow.map',
      headline: 'Tokens of that purchase with the shop’s map',
      what: 'a ten-step purchase by the tools of a map',
      ours: tokensOf(BY_SITE),
    }),
    figure({
      id: 'act.surface',
      what: 'tools and instructions that a model is given before it begins',
      unit: 'tokens',
      better: 'less',
      ours: flows.find(({ name }) => name === BY_SNAPSHOT)?.surfaceTokens,
      beside: best(surfaces),
      how: 'o200k of what tools/list and initialize answer; not known of a command-line tool',
    }),
  ];
}

const ours = (times: readonly PressTimes[]) => ({
  inProcess: times.find(({ name }) => name === OURS_IN_PROCESS),
  byMcp: times.find(({ name }) => name === OURS_BY_MCP),
});

const inProcessOf = (times: PressTimes | undefined, rounds: number) =>
  ({
    unit: 'ms',
    better: 'less',
    ours: times?.toPress.median,
    beside: [times && { name: 'raw CDP', value: times.floor.median }],
    ratio: times && ratioToFloor(times),
    how: `median of ${rounds} presses in turns with raw CDP (rect, press, release), each after 100 ms of quiet, until the page hears it; identity, permission and cover are checked; the bound is one frame and 3 × raw CDP`,
  }) as const;

const byMcpOf = (times: PressTimes | undefined, rounds: number) =>
  ({
    unit: 'ms',
    better: 'less',
    ours: times?.toPress.median,
    ratio: times && ratioToFloorAndPing(times),
    how: `as in process, over MCP by stdio; median of ${rounds} presses; the bound is one frame and 3 × raw CDP and a ping`,
  }) as const;

const floorAndPing = (times: PressTimes | undefined): Beside => ({
  name: 'raw CDP and one MCP ping',
  value: times === undefined ? Number.NaN : times.floor.median + (times.ping?.median ?? 0),
});

const besideOf = (times: readonly PressTimes[], value: (each: PressTimes) => number): readonly Beside[] =>
  times
    .filter((each) => !isOurs(each))
    .map((each) => ({ name: each.name, value: value(each), isPeer: true }));

/** Sorts the strongest peer first: the ratio is to that one. */
const best = (beside: readonly Beside[]): readonly Beside[] =>
  beside.filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.value - b.value);
