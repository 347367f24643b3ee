import { ToolRefusal } from './mcp-session.ts';
import type { ShopAction, ShopStep } from './shop-step.ts';

/** How one server is spoken to: in as few calls as its tools allow. */
export interface ShopDriver {
  /** The whole page, as the server tells it. */
  look(): Promise<string>;
  /** How an answer names an element, for the last one with this role whose name begins so. */
  find(text: string, action: ShopAction): string | undefined;
  act(actions: readonly Placed[]): Promise<string>;
}

/** A deed, with the name that the server gave its element. */
export interface Placed extends ShopAction {
  readonly id: string;
}

const MOST_LOOKS = 10;

/**
 * The same scripted agent for every server. It knows only what it was told: it looks for what it needs in the
 * answers it has, and takes another look at the page where they do not name it.
 */
export async function shopWith(
  driver: ShopDriver,
  steps: readonly ShopStep[],
  isDone: (text: string) => boolean,
): Promise<void> {
  let known = await driver.look();
  for (const step of steps) {
    const { seen, answer } = await done(step, known, driver);
    known = step.leaves ? answer : `${seen}\n${answer}`;
  }
  for (let looks = 0; !isDone(known); looks++) {
    if (looks === MOST_LOOKS) throw new Error(`The agent did not get to the end. It saw:\n${known}`);
    known = await driver.look();
  }
}

/** What did not work is tried again after another look, as every server advises. */
async function done({ about, actions }: ShopStep, known: string, driver: ShopDriver): Promise<Done> {
  let seen = known;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const ids = placed(actions, seen, driver);
    try {
      if (ids !== undefined) return { seen, answer: await driver.act(ids) };
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
    }
    seen = await driver.look();
  }
  throw new Error(`The agent could not ${about}. It saw:\n${seen}`);
}

interface Done {
  /** What it knew of the page when it acted. */
  readonly seen: string;
  readonly answer: string;
}

function placed(actions: readonly ShopAction[], known: string, { find }: ShopDriver): Placed[] | undefined {
  const found = actions.flatMap((action) => {
    const id = find(known, action);
    return id === undefined ? [] : [{ ...action, id }];
  });
  return found.length === actions.length ? found : undefined;
}

/** The last line that fits: later answers know better. The name is what follows the role. */
export function lastLine(
  text: string,
  pattern: RegExp,
  fits: (role: string, name: string) => boolean,
): string | undefined {
  return [...text.matchAll(pattern)].findLast(({ groups }) =>
    fits(groups?.['role'] ?? '', groups?.['name'] ?? ''),
  )?.groups?.['id'];
}
