import type { BridgeItem } from '@drawbridge/protocol';
import type { ItemLink, LinkState, LinkTrouble } from './link.ts';

/** All events of a link since, and ways to wait for more. */
export interface Heard {
  readonly items: readonly BridgeItem[];
  readonly states: readonly LinkState[];
  readonly troubles: readonly LinkTrouble[];
  /** Resolves after this many items. */
  readonly count: (items: number) => Promise<void>;
  readonly state: <Kind extends LinkState['kind']>(
    kind: Kind,
    test?: (state: Extract<LinkState, { kind: Kind }>) => boolean,
  ) => Promise<Extract<LinkState, { kind: Kind }>>;
  readonly trouble: <Kind extends LinkTrouble['kind']>(
    kind: Kind,
  ) => Promise<Extract<LinkTrouble, { kind: Kind }>>;
}

export function listenTo(link: ItemLink): Heard {
  const items: BridgeItem[] = [];
  const states: LinkState[] = [link.state];
  const troubles: LinkTrouble[] = [];
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
  link.onTrouble((trouble) => {
    troubles.push(trouble);
    more();
  });
  type State<Kind> = Extract<LinkState, { kind: Kind }>;
  type Trouble<Kind> = Extract<LinkTrouble, { kind: Kind }>;
  return {
    items,
    states,
    troubles,
    count: async (wanted) => {
      await until(() => (items.length >= wanted ? true : undefined));
    },
    state: (kind, test = () => true) => {
      type Wanted = State<typeof kind>;
      const is = (state: LinkState): state is Wanted => state.kind === kind;
      return until(() => states.filter(is).find(test));
    },
    trouble: (kind) => {
      const is = (trouble: LinkTrouble): trouble is Trouble<typeof kind> => trouble.kind === kind;
      return until(() => troubles.find(is));
    },
  };
}

/** Connections in order of arrival, each with its events from the start. */
export function createArrivals() {
  const come: Array<{ readonly link: ItemLink; readonly heard: Heard }> = [];
  const waiting: Array<() => void> = [];
  return {
    take: (link: ItemLink) => {
      come.push({ link, heard: listenTo(link) });
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
