import { readFileSync } from 'node:fs';
import { tokensOf } from '@drawbridge/testbed/tokens';
import { median } from '../measure.ts';
import type { Tab } from './chromium.ts';
import { OUR_PAGE, startPageCode } from './page-code.ts';
import { stampedElement } from './stamped-element.ts';

/** Code inside a page that produces text for a model. */
export interface InPageSubject {
  readonly name: string;
  /** Expression that returns the text; this is timed. */
  readonly text: string;
  /** Expression for the elements that the text names. */
  readonly listed: string;
}

export interface Cost {
  readonly tokens: number;
  /** Time in the page. */
  readonly ms: number;
  /** Time from the request to the text, over the DevTools connection. */
  readonly wallMs: number;
}

const SNAPSHOT = `${OUR_PAGE}.snapshot`;
const OUR_LISTED = `${SNAPSHOT}().page.interactive_tree.map(({ i }) => ${stampedElement('i')})`;

const OURS: readonly InPageSubject[] = [
  { name: 'ours, V3 JSON', text: `JSON.stringify(${SNAPSHOT}().page.interactive_tree)`, listed: OUR_LISTED },
  { name: 'ours, lines', text: `${SNAPSHOT}({ form: 'lines' }).text`, listed: OUR_LISTED },
  {
    name: 'ours, lines + text',
    text: `${SNAPSHOT}({ form: 'lines', context: true }).text`,
    listed: OUR_LISTED,
  },
];

const SKETCH = 'sketch';
const SKETCH_LISTED = `${SKETCH}({}).refs.map(({ ref }) => ${stampedElement('ref')})`;

const SKETCHES: readonly InPageSubject[] = [
  { name: 'sketch, JSON', text: `${SKETCH}({}).text`, listed: SKETCH_LISTED },
  { name: 'sketch, lines', text: `${SKETCH}({ line: true }).text`, listed: SKETCH_LISTED },
];

export interface InPageCode {
  readonly tellsDeltas: boolean;
  readonly subjects: readonly InPageSubject[];
  start(tab: Tab): Promise<void>;
}

export const ourCode: InPageCode = { tellsDeltas: true, subjects: OURS, start: startPageCode };

/** A plain sketch of the same tree, in a file that exports `extract`. */
export function sketchCode(file: string): InPageCode {
  const source = readFileSync(file, 'utf8').replaceAll(/^export /gm, '');
  return {
    tellsDeltas: false,
    subjects: SKETCHES,
    async start(tab) {
      await tab.evaluate(`globalThis.${SKETCH} = (() => { ${source}; return extract; })(); true`);
    },
  };
}

interface Run {
  readonly subject: InPageSubject;
  readonly tab: Tab;
}

interface Taken {
  readonly run: Run;
  text: string;
  readonly ms: number[];
  readonly wallMs: number[];
}

/** Alternates between the subjects, so that machine load affects all alike. */
export async function costsOf(runs: readonly Run[], rounds: number): Promise<Map<string, Cost>> {
  const taken = runs.map((run): Taken => ({ run, text: '', ms: [], wallMs: [] }));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const each of taken) {
      const started = performance.now();
      const { text, ms } = await each.run.tab.evaluate<{ text: string; ms: number }>(
        `(() => { const started = performance.now(); const text = ${each.run.subject.text};
          return { ms: performance.now() - started, text }; })()`,
      );
      if (round < 0) continue;
      each.wallMs.push(performance.now() - started);
      each.ms.push(ms);
      each.text = text;
    }
  }
  return new Map(
    taken.map(({ run, text, ms, wallMs }) => [
      run.subject.name,
      { tokens: tokensOf(text), ms: median(ms), wallMs: median(wallMs) },
    ]),
  );
}

const WARM_UP = 3;
