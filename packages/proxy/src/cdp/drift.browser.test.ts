import { DRIFTS, PANELS, type PanelName, sampled } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { codeOf, type Watched, watch } from '../../test/adapter.contract.ts';
import { setUpPanels } from '../../test/cdp/panel-harness.ts';
import type { AgentTarget } from '../adapter.ts';

const { open, adapter, log } = setUpPanels();

interface Trial {
  readonly works: boolean;
  /** Drift that was reported. */
  readonly drift: string | undefined;
  readonly outcomes: ReadonlyMap<string, string>;
}

/** Degraded: something is missing that a conversation can do without. */
const isHealthy = ({ target }: Watched): boolean =>
  ['healthy', 'degraded'].includes(target.describe().status);

const noteOf = ({ messages }: Watched): string | undefined =>
  messages().find(({ role, content }) => role === 'system' && content.includes('no longer fits its map'))
    ?.content;

/** Time limit for one of ten panels on a slow machine. */
const WALK_MS = 100_000;

/** Performs every remote action until the panel differs from its map. */
async function walk(target: AgentTarget): Promise<Trial> {
  const watched = watch(target);
  const outcomes = new Map<string, string>();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const messages = watched.messages().map(({ role, content }) => `${role}: ${content}`);
    const delivered = { outcomes: [...outcomes], ...target.describe(), messages };
    late.reject(new Error(`${target.signature} goes no further: ${JSON.stringify(delivered, null, 1)}`));
  }, WALK_MS);
  return Promise.race([walkOn(watched, outcomes), late.promise]).finally(() => clearTimeout(timer));
}

async function walkOn(watched: Watched, outcomes: Map<string, string>): Promise<Trial> {
  const { target } = watched;
  const said = (words: string) => watched.messages().some(({ content }) => content.includes(words));
  const until = (fits: () => boolean) => watched.until(() => fits() || !isHealthy(watched));
  const send = async (text: string) => {
    const outcome = await codeOf(target.inject({ text, attachments: [] }));
    outcomes.set(text, outcome);
    return outcome === 'ok' && isHealthy(watched);
  };
  const steps = [
    async () => {
      if (await send('say hello there')) await until(() => said('hello there') && isIdle(target));
    },
    async () => {
      if (!target.powers.has('permission_dialogs') || !(await send('ask permission'))) return;
      const prompt = () => watched.seen.find((each) => each.kind === 'prompt')?.prompt;
      await until(() => prompt() !== undefined);
      if (!isHealthy(watched)) return;
      outcomes.set('answer', await codeOf(target.answer(prompt()?.prompt_id ?? '', 'no')));
      await until(() => said('left alone') && isIdle(target));
    },
    async () => {
      if (!(await send('slow'))) return;
      await until(() => !isIdle(target));
      if (isHealthy(watched)) outcomes.set('interrupt', await codeOf(target.interrupt()));
    },
  ];
  for (const step of steps) if (isHealthy(watched)) await step();
  const works = isHealthy(watched) && [...outcomes.values()].every((outcome) => outcome === 'ok');
  if (!works) await watched.until(() => noteOf(watched) !== undefined);
  return { works, drift: noteOf(watched), outcomes };
}

const isIdle = (target: AgentTarget): boolean => target.describe().activity.kind === 'idle';

/** Reported outcomes match what happened in the panel. */
function expectHonest(id: string, { outcomes }: Trial): void {
  const entries = log(id);
  expect(entries.filter(({ kind }) => kind === 'pressed')).toEqual([]);
  for (const [text, outcome] of outcomes) {
    if (text === 'answer' || text === 'interrupt' || outcome === 'delivery_unknown') continue;
    const times = entries.filter((entry) => entry.kind === 'sent' && entry.text === text).length;
    expect([id, text, outcome, times]).toEqual([id, text, outcome, outcome === 'ok' ? 1 : 0]);
  }
}

/** Panel versions that a map still works in; the others must do nothing and report why. */
const WORKING: Readonly<Record<PanelName, readonly number[]>> = {
  claude: [1, 2, 4, 8, 9],
  codex: [1, 7, 10],
  gemini: [1, 9, 10],
};

test.each(sampled(PANELS, 2))(
  '[CHT-115] [CHT-148] [CHT-151] later versions of %s work, or are reported as changed',
  async (panel) => {
    const versions = sampled(
      DRIFTS[panel].map((_, index) => ({ id: `${panel}-${index + 1}`, drift: index + 1 })),
      4,
    );
    const pages = await Promise.all(versions.map((version) => open(panel, version)));
    const panels = await adapter(panel, { verifyMs: 4_000, driftMs: 600 });
    try {
      const targets = await panels.discover([]);
      const trials = await Promise.all(
        versions.map(async ({ id }) => {
          const target = targets.find(({ signature }) => signature.endsWith(`:${id}`));
          if (target === undefined) throw new Error(`${id} was not found.`);
          const trial = await walk(target);
          expectHonest(id, trial);
          return trial;
        }),
      );
      const working = versions.flatMap(({ drift }, index) => (trials[index]?.works ? [drift] : []));
      const tried = new Set(versions.map(({ drift }) => drift));
      expect(
        working,
        JSON.stringify(trials.map(({ drift, outcomes }) => [drift?.slice(0, 120), ...outcomes])),
      ).toEqual(WORKING[panel].filter((drift) => tried.has(drift)));
    } finally {
      await panels.close();
      await Promise.all(pages.map((page) => page.close()));
    }
  },
  // Ten panels at once, each polled many times.
  180_000,
);
