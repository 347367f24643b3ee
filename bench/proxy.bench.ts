import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { acpFigure, panelFigure, watchingFigures } from './proxy/figures.ts';
import { measureFloor } from './proxy/floor.ts';
import { measureAcp, measurePanels } from './proxy/proxy-cases.ts';
import { printWatching, printWays } from './proxy/report.ts';
import { percentileOf } from './relay/percentile.ts';
import { benchmark } from './report.ts';

/**
 * Latency of a message from a person to an agent, per hop on the monotonic clock, and of the agent's reply;
 * beside the bare transports in the same run: an echoing socket, a pipe, and a panel driven by raw CDP.
 * Relay, proxy and agent run in separate processes. `--sends N` of each kind, `--quick` sends few.
 */

const { values } = parseArgs({
  options: { sends: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const sends = Number(values.sends ?? (values.quick ? 10 : 100));
const seconds = values.quick ? 5 : 20;

await benchmark(async (report) => {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bench-proxy-'));
  try {
    const { socket, pipe } = await measureFloor(sends * 5);
    const [socketMs, pipeMs] = [percentileOf(socket, 50), percentileOf(pipe, 50)];
    // Round trip through the relay and the proxy.
    const acp = await measureAcp(folder, sends);
    const acpWay = { name: 'an ACP agent', journeys: acp, floorMs: 2 * socketMs + pipeMs };
    printWays([acpWay]);
    report.add(acpFigure(acpWay));
    const panels = await measurePanels(folder, sends, seconds);
    const panelWay = {
      name: 'a chat panel over CDP',
      journeys: panels.journeys,
      floorMs: 2 * socketMs + panels.rawMs,
    };
    printWays([panelWay]);
    printWatching(panels.watching);
    report.add(panelFigure(panelWay), ...watchingFigures(panels.watching));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
