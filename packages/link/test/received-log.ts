import type { BridgeItem } from '@drawbridge/protocol';
import type { ItemLink, LinkProblem, LinkState } from '../src/link.ts';

/** All events of a link since, and ways to wait for more. */
export interface ReceivedLog {
  readonly items: readonly BridgeItem[];
  readonly states: readonly LinkState[];
  readonly problems: readonly LinkProblem[];
  /** Resolves after this many items. */
  readonly count: (items: number) => Promise<void>;
  readonly state: <Kind extends LinkState['kind']>(
    kind: Kind,
    test?: (state: Extract<LinkState, { kind: Kind }>) => boolean,
  ) => Promise<Extract<LinkState, { kind: Kind }>>;
  readonly problem: <Kind extends LinkProblem['kind']>(
    kind: Kind,
  ) => Promise<Extract<LinkProblem, { kind: Kind }>>;
}

export function listenTo(link: ItemLink): ReceivedLog {
  const items: BridgeItem[] = [];
  const states: LinkState[] = [link.state];
  const problems: LinkProblem[] = [];
  let waiting: Array<() => void> = [];
  const more = () => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  const until = async <Value>(look: () => Value | undefined): Promise<Value> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  link.onItem((item) => {
    items.push(item);
    more();
  });
  link.onState((state) => {
    states.push(state);
    more();
  });
  link.onProblem((problem) => {
    problems.push(problem);
    more();
  });
  type State<Kind> = Extract<LinkState, { kind: Kind }>;
  type Problem<Kind> = Extract<LinkProblem, { kind: Kind }>;
  return {
    items,
    states,
    problems,
    count: async (wanted) => {
      await until(() => (items.length >= wanted ? true : undefined));
    },
    state: (kind, test = () => true) => {
      type Wanted = State<typeof kind>;
      const is = (state: LinkState): state is Wanted => state.kind === kind;
      return until(() => states.filter(is).find(test));
    },
    problem: (kind) => {
      const is = (problem: LinkProblem): problem is Problem<typeof kind> => problem.kind === kind;
      return until(() => problems.find(is));
    },
  };
}

/** Connections in order of arrival, each with its events from the start. */
export function createArrivals() {
  const come: Array<{ readonly link: ItemLink; readonly received: ReceivedLog }> = [];
  const waiting: Array<() => void> = [];
  return {
    take: (link: ItemLink) => {
      come.push({ link, received: listenTo(link) });
      for (const wake of waiting.splice(0)) wake();
    },
    /** The first is 0. */
    at: async (index: number) => {
      for (;;) {
        const found = come[index];
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}
