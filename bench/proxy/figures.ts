import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { percentileOf } from '../relay/percentile.ts';
import type { Watching, Way } from './report.ts';

export const acpFigure = (way: Way): Figure =>
  figure({
    ...tickOf(way),
    id: 'proxy.acp',
    headline: 'From a person’s send to the tick that the agent has it',
    what: 'send → delivered tick, an ACP agent',
    beside: [{ name: 'sockets and a pipe alone', value: way.floorMs }],
    aim: { value: 100 },
  });

export const panelFigure = (way: Way): Figure =>
  figure({
    ...tickOf(way),
    id: 'proxy.panel',
    what: 'send → delivered tick, a chat panel over CDP',
    beside: [{ name: 'sockets and a panel driven by raw CDP', value: way.floorMs }],
    aim: { value: 1_000 },
  });

export function watchingFigures(rows: readonly Watching[]): readonly Figure[] {
  const [none, many] = rows;
  if (none === undefined || many === undefined) return [];
  const idle = { better: 'less', how: `${many.panels} panels in which nothing happens` } as const;
  return [
    figure({
      ...idle,
      id: 'proxy.idle.cpu',
      what: `CPU of a proxy that watches ${many.panels} idle panels`,
      unit: '% of a core',
      ours: many.cpuMs / many.seconds / 10,
      aim: { value: 10 },
    }),
    figure({
      ...idle,
      id: 'proxy.idle.memory',
      what: 'memory of a proxy for each idle panel',
      unit: 'MB',
      ours: (many.held - none.held) / many.panels / 1e6,
      aim: { value: 5 },
    }),
  ];
}

const tickOf = ({ journeys }: Way) =>
  ({
    unit: 'ms',
    better: 'less',
    ours: percentileOf(
      journeys.map(({ ticked }) => ticked),
      50,
    ),
    how: `median of ${journeys.length} sends, one after another; stored at the relay, delivered once, reported back`,
  }) as const;
