import { systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type {
  ActionCallOutput,
  ActionError,
  Answer,
  BridgeItem,
  Question,
  RuntimeReady,
} from '@drawbridge/protocol';
import { createGrantBook } from '../../src/grants/grant-book.ts';
import type { SurfaceHost } from '../../src/host.ts';
import { noMaps } from '../../src/maps/map-source.ts';
import { createRuntime, type RuntimeOptions } from '../../src/surface/runtime.ts';

type Decision = Exclude<Answer['decision'], 'always'>;

/** A runtime on a real tab, with its asker and everything that it sends. */
export function runtimeOn(host: SurfaceHost, options: Partial<RuntimeOptions> = {}) {
  const items: BridgeItem[] = [];
  const watchers = new Set<() => void>();
  const questions: Question[] = [];
  const decide: { next: Decision } = { next: 'deny' };
  let made = 0;
  const newId = () => `id-${++made}`;
  const grants = createGrantBook({ now: systemClock.now, newId });
  grants.lend(host.runtimeKey, 'Ada');
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  const runtime = createRuntime({
    runtimeId: 'runtime-1',
    host,
    maps: noMaps,
    grants,
    asker: {
      ask: async (question) => {
        questions.push(question);
        return { decision: decide.next, call_hash: question.call_hash, by: 'Ada' };
      },
    },
    evaluator,
    clock: systemClock,
    newId,
    send: (item) => {
      items.push(item);
      for (const watcher of [...watchers]) watcher();
    },
    ...options,
  });

  function until<Item extends BridgeItem>(fits: (item: BridgeItem) => item is Item, from = 0): Promise<Item> {
    return new Promise((resolve) => {
      const look = () => {
        const found = items.slice(from).find(fits);
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
    });
  }

  const toolsOf = (item: BridgeItem): Tools =>
    item.type === 'runtime_ready' ? trustTools(item.manifest?.['tools']) : [];

  return {
    runtime,
    items,
    questions,
    decide,
    /** The tools of the first announcement that satisfies the condition. */
    announced: async (fits: (names: readonly string[]) => boolean): Promise<Tools> => {
      const isFit = (item: BridgeItem): item is RuntimeReady =>
        item.type === 'runtime_ready' && fits(toolsOf(item).map(({ name }) => name));
      return toolsOf(await until(isFit));
    },
    latest: (): Tools =>
      toolsOf(items.findLast(({ type }) => type === 'runtime_ready') ?? ({} as BridgeItem)),
    call: async (name: string, args: Record<string, unknown> = {}) => {
      const call_id = newId();
      runtime.receive({ type: 'action_call', call_id, runtime_id: 'runtime-1', name, arguments: args });
      const isAnswer = (item: BridgeItem): item is ActionCallOutput | ActionError =>
        (item.type === 'action_call_output' || item.type === 'action_error') && item.call_id === call_id;
      return until(isAnswer);
    },
    async [Symbol.asyncDispose]() {
      await runtime.close();
      await evaluator.close();
    },
  };
}

export type Tools = readonly {
  readonly name: string;
  readonly description: string;
  readonly x_actions?: { readonly effect?: string; readonly source?: unknown };
}[];

function trustTools(value: unknown): Tools {
  return (value ?? []) as Tools;
}
