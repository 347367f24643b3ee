import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printVerdicts } from './page/verdicts.ts';
import { measureFloor } from './proxy/floor.ts';
import { printWatching, printWays } from './proxy/report.ts';
import { measureAcp, measurePanels } from './proxy/scenes.ts';
import { percentileOf } from './relay/percentile.ts';

/**
 * How long a message takes from a person to an agent, each hop by the machine's clock, and what the agent says back to the
 * person; beside the ways alone in the same run: a socket that echoes, a pipe, and a panel that is written in and pressed by raw
 * CDP. Relay, proxy and agent are programs of their own. `--sends N` of each kind, `--quick` is few of them.
 */

const { values } = parseArgs({
  options: { sends: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const sends = Number(values.sends ?? (values.quick ? 10 : 100));
const seconds = values.quick ? 5 : 20;

console.log(`load average ${loadavg()[0]?.toFixed(2)}`);
const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bench-proxy-'));
try {
  const { socket, pipe } = await measureFloor(sends * 5);
  const [socketMs, pipeMs] = [percentileOf(socket, 50), percentileOf(pipe, 50)];
  const acp = await measureAcp(folder, sends);
  const panels = await measurePanels(folder, sends, seconds);
  // To the relay and on to the proxy, and back the same way.
  const acpWay = { name: 'an ACP agent', journeys: acp, floorMs: 2 * socketMs + pipeMs };
  const panelWay = {
    name: 'a chat panel over CDP',
    journeys: panels.journeys,
    floorMs: 2 * socketMs + panels.rawMs,
  };
  printWays([acpWay, panelWay]);
  printWatching(panels.watching);
  const [none, many] = panels.watching;
  const share = (many?.cpuMs ?? 0) / (many?.seconds ?? 1) / 10;
  const ticked = (journeys: typeof acp) =>
    percentileOf(
      journeys.map((each) => each.ticked),
      50,
    );
  printVerdicts('aim', [
    {
      promise: 'an ACP agent: p50 to the delivered tick at most 100 ms',
      measured: `${ticked(acp).toFixed(1)} ms`,
      met: ticked(acp) <= 100,
    },
    {
      promise: 'a chat panel: p50 to the delivered tick at most 1 s',
      measured: `${ticked(panels.journeys).toFixed(1)} ms`,
      met: ticked(panels.journeys) <= 1_000,
    },
    {
      promise: '20 idle panels: at most 10 % of a core, and 5 MB a panel',
      measured: `${share.toFixed(1)} %, ${(((many?.held ?? 0) - (none?.held ?? 0)) / 20e6).toFixed(1)} MB`,
      met: share <= 10 && (many?.held ?? 0) - (none?.held ?? 0) <= 100e6,
    },
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
