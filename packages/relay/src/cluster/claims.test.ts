import type { Brain } from '@drawbridge/brain';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, test, vi } from 'vitest';
import { useCluster } from '../../test/cluster/use-cluster.ts';
import { answerOf, listOf, promptOf, resultOf, sessionObject } from '../../test/contract/frames.ts';
import { call, ended, lendRemoteTab, scriptedBrain } from '../../test/tasks/relay-tasks.ts';

/** `npm run deep` sets a higher count. */
const ROUNDS = Number(process.env['DRAWBRIDGE_CLAIM_ROUNDS'] ?? 10);
const LIMIT_MS = 60_000 + ROUNDS * 2_000;
const SOON = { timeout: 30_000, interval: 1 };

let brain: Brain | undefined;
const { node, at, device } = useCluster(3, { brain: () => brain });

test(
  `[CHT-127] [CHT-219] two proxies claim a session, two people answer its prompt, each on another node: in ${ROUNDS} rounds one of them wins`,
  async () => {
    const random = createSeededRandom(21);
    const people = await Promise.all([0, 1, 2].map((number) => at(number).connect('person')));
    const proxies = await Promise.all([1, 2].map((number) => at(number).connect('proxy')));
    const winners = new Set<string>();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [session_id, prompt_id] = [`session ${round}`, `prompt ${round}`];
      for (const proxy of random.shuffle([...proxies])) proxy.send(listOf(sessionObject(session_id)));
      const losers = () =>
        proxies.filter((proxy) =>
          proxy.all('connection_error').some((frame) => frame.session_id === session_id),
        );
      await vi.waitUntil(() => losers().length > 0, SOON);
      for (const person of people) await person.next('session_up', { session: { session_id } });
      const owner = proxies.find((proxy) => !losers().includes(proxy));
      expect(owner, 'one has it').toBeDefined();

      owner?.send(promptOf(session_id, prompt_id));
      for (const person of people) await person.next('permission_prompt', { prompt_id });
      const [first, second] = random.shuffle([...people]);
      first?.send(answerOf(session_id, prompt_id, { request_id: `${round} first` }));
      second?.send(answerOf(session_id, prompt_id, { request_id: `${round} second`, choice_id: 'no' }));
      const asked = await owner?.next('permission_response', { prompt_id });
      owner?.send(resultOf(session_id, asked?.request_id));
      const results = [
        await first?.next('agent_control_result', { request_id: `${round} first` }),
        await second?.next('agent_control_result', { request_id: `${round} second` }),
      ];
      expect(results.map((each) => each?.result).toSorted()).toEqual(['failed', 'ok']);
      expect(results.find((each) => each?.result === 'ok')?.request_id).toBe(asked?.request_id);
      winners.add(`proxy ${owner && proxies.indexOf(owner)}`).add(asked?.request_id?.split(' ')[1] ?? '');
    }
    for (const proxy of proxies) await proxy.settled();
    const received = proxies.flatMap((proxy) => proxy.all('permission_response'));
    expect(new Set(received.map(({ prompt_id }) => prompt_id)).size).toBe(ROUNDS);
    expect(received).toHaveLength(ROUNDS);
    const refused = proxies.flatMap((proxy) => proxy.all('connection_error'));
    expect(refused.map(({ session_id }) => session_id)).toHaveLength(ROUNDS);
    // Both win sometimes, so chance did decide.
    expect([...winners].toSorted()).toEqual(['first', 'proxy 0', 'proxy 1', 'second']);
  },
  LIMIT_MS,
);

test(
  `one order sent to two nodes at once: in ${ROUNDS} rounds it becomes one task and is done once`,
  async () => {
    const random = createSeededRandom(22);
    const agent = await device('agent');
    lendRemoteTab(node(1).url, (await device('runtime')).token, 'tab_claimed');
    for (let round = 1; round <= ROUNDS; round += 1) {
      const own = scriptedBrain({ thought: 'It is there.', action: 'finish()', status: 'completed' });
      brain = own;
      const give = (number: number) =>
        call(node(number), agent, 'POST /api/tasks', { prompt: 'Look' }, { 'idempotency-key': `${round}` });
      const answers = await Promise.all(random.shuffle([0, 1, 2]).slice(1).map(give));
      const ids = new Set(answers.map(({ body }) => body.task_id));
      expect([answers.map(({ status }) => status), ids.size]).toEqual([[202, 202], 1]);
      for (const task_id of ids) {
        expect(await ended(node(2), agent, task_id)).toMatchObject({ state: 'completed' });
      }
      expect(own.inputs).toHaveLength(1);
    }
  },
  LIMIT_MS,
);
