import type { Verdict } from '../page/verdicts.ts';
import { OURS_BY_MCP, OURS_IN_PROCESS } from './press-subject.ts';
import type { PressTimes } from './press-timing.ts';
import { bestPeer, ratioToFloor, ratioToFloorAndPing } from './report.ts';
import { BY_SITE, BY_SNAPSHOT, type ShopFlow } from './shop-flow.ts';

export interface ActMeasurements {
  /** On a page where a look at it costs next to nothing. */
  readonly short: readonly PressTimes[];
  /** On a page with thousands of elements. */
  readonly long: readonly PressTimes[];
  readonly flows: readonly ShopFlow[];
}

const MOST_OF_FLOOR = 1.5;

export function actMusts({ short, flows }: ActMeasurements): Verdict[] {
  return [
    ...pressVerdicts(short, ''),
    tokenVerdict(flows, BY_SNAPSHOT, 1 / 3, 'a third'),
    tokenVerdict(flows, BY_SITE, 1 / 3, 'a third'),
  ];
}

export function actAims({ long, flows }: ActMeasurements): Verdict[] {
  return [
    ...pressVerdicts(long, ', on a page of thousands'),
    tokenVerdict(flows, BY_SNAPSHOT, 1 / 10, 'a tenth'),
    tokenVerdict(flows, BY_SITE, 1 / 10, 'a tenth'),
  ];
}

function pressVerdicts(times: readonly PressTimes[], where: string): Verdict[] {
  const timed = (name: string) => times.find((each) => each.name === name);
  const [inProcess, byMcp] = [timed(OURS_IN_PROCESS), timed(OURS_BY_MCP)];
  return [
    ratioVerdict(
      `bridge.call → press: at most ${MOST_OF_FLOOR} × raw CDP in the same process${where}`,
      inProcess && ratioToFloor(inProcess),
    ),
    ratioVerdict(
      `tools/call → press: at most ${MOST_OF_FLOOR} × raw CDP and one MCP ping${where}`,
      byMcp && ratioToFloorAndPing(byMcp),
    ),
  ];
}

function ratioVerdict(promise: string, ratio: number | undefined): Verdict {
  return {
    promise,
    measured: ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    met: ratio === undefined ? undefined : ratio <= MOST_OF_FLOOR,
  };
}

function tokenVerdict(flows: readonly ShopFlow[], name: string, most: number, words: string): Verdict {
  const [ours, best] = [flows.find((flow) => flow.name === name), bestPeer(flows)];
  const promise = `${name}: at most ${words} of the tokens of the best MCP peer`;
  if (ours === undefined || best === undefined) return { promise, measured: '', met: undefined };
  return {
    promise,
    measured: `${ours.tokens} against ${best.tokens} (${best.name}): ${(ours.tokens / best.tokens).toFixed(3)}`,
    met: ours.tokens <= best.tokens * most,
  };
}
