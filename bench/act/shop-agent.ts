import { ToolRefusal } from './mcp-session.ts';
import type { ShopAction, ShopStep } from './shop-step.ts';

/** Adapter for one server, using as few calls as its tools allow. */
export interface ShopDriver {
  /** The whole page, as the server describes it. */
  look(): Promise<string>;
  /** Server's id of the last element with this role whose name starts like this. */
  find(text: string, action: ShopAction): string | undefined;
  act(actions: readonly Placed[]): Promise<string>;
}

/** An action with the server's id of its element. */
export interface Placed extends ShopAction {
  readonly id: string;
}

const MOST_LOOKS = 10;

/**
 * The same scripted agent for every server. Searches the answers it has for each element, and looks at the
 * page again when they do not name it.
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

/** Retries a failed action after another look, as every server advises. */
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
  /** The agent's knowledge of the page when it acted. */
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

/** The last matching line, since later answers are newer. The name follows the role. */
export function lastLine(
  text: string,
  pattern: RegExp,
  fits: (role: string, name: string) => boolean,
): string | undefined {
  return [...text.matchAll(pattern)].findLast(({ groups }) =>
    fits(groups?.['role'] ?? '', groups?.['name'] ?? ''),
  )?.groups?.['id'];
}
