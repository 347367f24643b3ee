import type { Attachment, Signal, State, Target, Tool } from '@drawbridge/protocol/manifest';
import type { PageProbe } from '../host.ts';
import { currentStates, diagnose } from '../state/diagnosis.ts';
import { isThere, lookFor } from '../state/sighting.ts';
import { type ChoiceOptions, type ContextChoice, chooseBlocks } from './block-choice.ts';
import { type Block, isLoadedAt, loadWhenOf } from './load-when.ts';

export interface DocumentedMap {
  readonly context: readonly Block[];
  readonly states: readonly State[];
  readonly tools: readonly Tool[];
  readonly signals: readonly Signal[];
  readonly attachments: readonly Attachment[];
}

/** Probes the page for the blocks' predicates and selects the blocks that match. */
export async function selectContext(
  map: DocumentedMap,
  probe: PageProbe,
  options: ChoiceOptions,
): Promise<ContextChoice> {
  const url = await probe.url();
  const wanted = map.context.map(loadWhenOf);
  const targets = new Set(wanted.flatMap((one) => one.targets ?? []));
  const described = new Map([...targets].map((one) => [one, targetNamed(one, map)]));
  const asked = wanted.flatMap((one) => one.states ?? []);
  const askedByTargets = [...described.values()].flatMap(({ state }) => state ?? []);
  const states = currentStates(await diagnose(map.states, [...asked, ...askedByTargets], probe));
  const present = new Set<string | Target>();
  await Promise.all(
    [...described].map(async ([key, target]) => {
      if (target.state !== undefined && !states.has(target.state)) return;
      if (isThere(await lookFor(target, url, probe))) present.add(key);
    }),
  );
  const isOnPage = (target: string | Target) => present.has(target);
  const matching = map.context.filter((block) => isLoadedAt(block, { url, states, isOnPage }));
  return chooseBlocks(matching, options);
}

/** A block's callable tools: naming a tool in a block does not declare it. */
export function callableTools(block: Block, tools: readonly Tool[]): readonly string[] {
  const declared = new Set(
    tools.filter(({ x_actions }) => x_actions?.direction !== 'html_to_agent').map(({ name }) => name),
  );
  return (block.available_tools ?? []).filter((name) => declared.has(name));
}

/** A string that names a tool, signal or attachment means its target; any other string is a selector. */
function targetNamed(entry: string | Target, map: DocumentedMap): Target {
  if (typeof entry !== 'string') return entry;
  const part =
    map.tools.find(({ name }) => name === entry) ??
    map.signals.find(({ name }) => name === entry) ??
    map.attachments.find(({ id }) => id === entry);
  return part === undefined ? { selector: entry } : (part.target ?? {});
}
