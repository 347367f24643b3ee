import { table } from './document.ts';
import type { Beside, Figure } from './figure.ts';
import { type BenchRecords, figuresOf } from './record.ts';
import { whole } from './words.ts';

/** A table of `docs/compare.md`: figures by id, and the peers that get a column. */
interface Comparison {
  readonly ours: string;
  /** Prefixes of the peers' names in figures. */
  readonly peers: readonly string[];
  readonly ids: readonly string[];
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  agents: {
    ours: 'Drawbridge',
    peers: ['@playwright/mcp', 'chrome-devtools-mcp', 'agent-browser'],
    ids: [
      'page.tokens',
      'page.tokens.text',
      'page.recall',
      'page.recall.corners',
      'page.precision',
      'page.precision.corners',
      'page.time',
      'page.time.large',
      'act.press.mcp',
      'act.return.mcp',
      'act.return.dead',
      'act.return.request',
      'act.return.restless',
      'act.return.long',
      'act.flow',
      'act.flow.map',
      'act.surface',
    ],
  },
  steering: {
    ours: 'Drawbridge',
    peers: ['@siteboon/claude-code-ui'],
    ids: ['web.loaded', 'web.usable', 'web.held'],
  },
};

const BLOCK = /(<!-- figures: ([\w-]+) -->\n)[\s\S]*?(<!-- end of figures -->)/g;

/** Fills every marked table of the page from the figures. */
export function withFigures(page: string, records: BenchRecords): string {
  return page.replaceAll(BLOCK, (_, opening: string, name: string, closing: string) => {
    const comparison = COMPARISONS[name];
    if (comparison === undefined) {
      throw new Error(
        `docs/compare.md asks for the figures “${name}”: there are ${Object.keys(COMPARISONS).join(', ')}.`,
      );
    }
    return `${opening}\n${tableOf(comparison, records).join('\n')}\n\n${closing}`;
  });
}

function tableOf({ ours, peers, ids }: Comparison, records: BenchRecords): readonly string[] {
  const figures = figuresOf(records);
  const rows = ids.flatMap((id) => figures.find((each) => each.id === id) ?? []);
  const headings = peers.map((peer) => `${peer}${versionOf(peer, records, rows)}`);
  return table(
    ['median, measured in one run', ours, ...headings],
    rows.map((each) => {
      const values = [each.ours, ...peers.map((peer) => besideIn(each, peer)?.value)];
      const best = bestOf(values, each.better);
      return [
        `${each.what}, ${each.unit}`,
        ...values.map((value) =>
          value === undefined ? '–' : value === best ? `**${whole(value)}**` : whole(value),
        ),
      ];
    }),
  );
}

function versionOf(peer: string, { peers }: BenchRecords, rows: readonly Figure[]): string {
  if (peers[peer] !== undefined) return ` ${peers[peer]}`;
  const named = rows.flatMap((each) => besideIn(each, peer)?.name ?? [])[0];
  return named?.slice(peer.length) ?? '';
}

const besideIn = ({ beside }: Figure, peer: string): Beside | undefined =>
  beside.find(({ name }) => name.startsWith(peer));

function bestOf(values: readonly (number | undefined)[], better: Figure['better']): number {
  const known = values.filter((value) => value !== undefined);
  return better === 'less' ? Math.min(...known) : Math.max(...known);
}
