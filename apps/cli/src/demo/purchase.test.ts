import { expect, test } from 'vitest';
import type { McpAgent } from './mcp-agent.ts';
import type { Narrator } from './narrator.ts';
import { walk } from './purchase.ts';

/** An agent whose first tries are late; `arrives`: the page still comes. */
function slowAgent(late: number, arrives: boolean) {
  const calls: string[] = [];
  const printed: string[] = [];
  const agent: McpAgent = {
    async site(action) {
      calls.push(action);
      if (calls.filter((each) => each === action).length <= late) throw new Error('Not within 10000 ms.');
      return 'ok';
    },
    async call(tool, input) {
      calls.push(`${tool} ${'value' in input ? input.value : 'stable'}`);
      if (!arrives) throw new Error('Not within 30000 ms.');
      return 'ok';
    },
  };
  const pause = async (): Promise<void> => {};
  const narrator: Narrator = { print: (event) => printed.push(event), show: () => {}, pause, wait: pause };
  return { go: walk(agent, narrator), calls, printed };
}

test('waits for a slow page, and presses nothing twice', async () => {
  const { go, calls, printed } = slowAgent(1, true);
  await go('checkout.open', '/checkout');
  expect(calls).toEqual(['checkout.open', 'wait /checkout', 'wait stable']);
  expect(printed).toEqual(['slow']);
});

test('tries again if nothing came, and finally fails with the reason', async () => {
  const { go, calls } = slowAgent(1, false);
  await go('checkout.open', '/checkout');
  expect(calls).toEqual(['checkout.open', 'wait /checkout', 'checkout.open']);
  const never = slowAgent(9, false);
  await expect(never.go('checkout.open', '/checkout')).rejects.toThrow('Not within 10000 ms.');
  expect(never.printed).toEqual(['slow', 'slow']);
});
