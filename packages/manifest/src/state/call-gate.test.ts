import { BridgeError, bridge } from '@drawbridge/protocol';
import type { State, Transition } from '@drawbridge/protocol/manifest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMap, tool } from '../../test/compose/sample-maps.ts';
import { fakePage } from '../../test/state/fake-page.ts';
import { type GateAnswer, gateCall, statesMovedBy } from './call-gate.ts';
import { currentStates, diagnose } from './diagnosis.ts';
import { runtimeStatus } from './runtime-status.ts';
import { admitCall, type TransitionLedger } from './transition-ledger.ts';
import { warningsFor } from './transition-warning.ts';

const STATES: State[] = [
  { name: 'results', diagnostics: [{ name: 'd', target: { selector: 'li' } }] },
  { name: 'last', diagnostics: [{ name: 'd', target: { selector: '.end' } }] },
  { name: 'vague' },
];

interface Call {
  readonly transitions?: readonly object[];
  readonly target?: object;
  readonly page?: Readonly<Record<string, number>>;
  readonly ledger?: TransitionLedger;
  readonly now?: number;
  readonly timeoutMs?: number;
  readonly conditions?: readonly string[];
}

function call(options: Call): Promise<GateAnswer> {
  const { transitions = [], target, page = {}, ledger = new Map(), now = 0, timeoutMs = 30_000 } = options;
  const map = aMap({ tools: [tool('next', target ? { target } : {})], states: STATES, transitions });
  const [called] = map.tools;
  if (called === undefined) throw new Error('There is a tool.');
  const model = { states: map.states ?? [], transitions: map.transitions ?? [] };
  const conditions = new Set(options.conditions);
  return gateCall(
    model,
    { tool: called, ledger, now, timeoutMs, conditions },
    fakePage('https://shop.test', page),
  );
}

/** `go` with its wait, or the error code. */
const sent = async (options: Call) => {
  const answer = await call(options);
  return answer.kind === 'go' ? answer.waitMs : answer.error.code;
};

const to = (fields: object = {}) => ({ name: 't', tool: 'next', ...fields });

describe('required state', () => {
  test('[MAN-139] a tool whose target requires a state runs only while that state is current', async () => {
    expect(await sent({ target: { selector: 'a', state: 'results' }, page: { li: 1 } })).toBe(0);
    expect(await sent({ target: { selector: 'a', state: 'results' } })).toBe('state_mismatch');
    expect(await sent({ target: { selector: 'a' } })).toBe(0);
  });

  test('[MAN-139] a tool with a transition runs only from its start state', async () => {
    const transitions = [to({ from: 'results' })];
    expect(await sent({ transitions, page: { li: 1 } })).toBe(0);
    expect(await sent({ transitions })).toBe('state_mismatch');
    expect(
      await sent({ transitions: [...transitions, to({ name: 'u', from: 'last' })], page: { '.end': 1 } }),
    ).toBe(0);
    expect(await sent({ transitions: [...transitions, to({ name: 'u' })] })).toBe(0);
  });

  test('[MAN-139] a start state without diagnostics is not required, an undeclared one is', async () => {
    expect(await sent({ transitions: [to({ from: 'vague' })] })).toBe(0);
    expect(await sent({ transitions: [to({ from: 'shop.gone' })] })).toBe('state_mismatch');
    expect(await sent({ target: { state: 'vague' } })).toBe('state_mismatch');
  });

  test('[MAN-139] the error contains the required and the current states', async () => {
    const answer = await call({
      target: { state: 'last' },
      transitions: [to({ from: 'results' })],
      page: { li: 1 },
    });
    expect(answer).toMatchObject({
      kind: 'refused',
      error: { evidence: { tool: 'next', required: 'last', current: ['results'] } },
    });
  });

  test('[MAN-156] a precondition that names a state must hold', async () => {
    for (const preconditions of [
      'results',
      ['results'],
      [{ state: 'results' }],
      ['Log in first.', 'results'],
    ]) {
      expect(await sent({ transitions: [to({ preconditions })], page: { li: 1 } })).toBe(0);
      const refused = await call({ transitions: [to({ preconditions })] });
      expect(refused).toMatchObject({
        kind: 'refused',
        error: { code: 'state_mismatch', evidence: { transition: 't' } },
      });
    }
  });

  test('[MAN-156] one open transition of several is enough', async () => {
    const shut = to({ preconditions: 'results' });
    expect(
      await sent({ transitions: [shut, to({ name: 'u', preconditions: 'last' })], page: { '.end': 1 } }),
    ).toBe(0);
    expect(await sent({ transitions: [shut, to({ name: 'u', preconditions: 'last' })] })).toBe(
      'state_mismatch',
    );
  });

  test('[MAN-157] preconditions in prose, reveals and do_not_use are shown and block nothing', async () => {
    const transition: Transition = {
      name: 't',
      tool: 'next',
      preconditions: ['results', 'Log in first.'],
      reveals: 'More results.',
      do_not_use: ['Clicking the arrow.', { why: 'slow' }],
    };
    expect(await sent({ transitions: [to({ preconditions: 'Log in first.' })] })).toBe(0);
    const isState = (name: string) => STATES.some((state) => state.name === name);
    expect(warningsFor('next', [transition, { name: 'u', tool: 'next' }], isState)).toEqual([
      {
        transition: 't',
        preconditions: ['Log in first.'],
        reveals: ['More results.'],
        do_not_use: ['Clicking the arrow.', '{"why":"slow"}'],
      },
    ]);
    expect(warningsFor('other', [transition], isState)).toEqual([]);
  });
});

describe('transitions', () => {
  test('[MAN-153] a transition runs nothing: its signal only triggers a new diagnosis', () => {
    const transitions = [to({ from: 'results', to: 'last', signal: 'moved' })];
    expect(statesMovedBy('moved', transitions)).toEqual(['results', 'last']);
  });

  test('[MAN-158] only the states that a signal connects are diagnosed again', async () => {
    const transitions = [
      to({ from: 'results', to: 'results', signal: 'moved' }),
      to({ name: 'u', to: 'last', signal: 'other' }),
    ];
    expect(statesMovedBy('moved', transitions)).toEqual(['results']);
    expect(statesMovedBy('unheard-of', transitions)).toEqual([]);
    const diagnoses = await diagnose(
      STATES,
      statesMovedBy('moved', transitions),
      fakePage('https://a.test', { li: 1 }),
    );
    expect([...currentStates(diagnoses)]).toEqual(['results']);
  });

  test('[MAN-154] a tool that is called again too soon waits for the delay', async () => {
    const transitions = [to({ rate_limit_ms: 1_000 })];
    const first = await call({ transitions, now: 5_000 });
    const ledger = first.kind === 'go' ? first.ledger : new Map();
    expect(first).toMatchObject({ kind: 'go', waitMs: 0 });
    expect(await sent({ transitions, ledger, now: 5_300 })).toBe(700);
    expect(await sent({ transitions, ledger, now: 6_000 })).toBe(0);
    expect(await sent({ transitions: [to({ name: 'free' })], ledger, now: 5_300 })).toBe(0);
  });

  test('[MAN-154] also when no diagnosis shows that the transition starts here', async () => {
    const transitions = [to({ from: 'vague', rate_limit_ms: 1_000 })];
    const first = await call({ transitions });
    const ledger = first.kind === 'go' ? first.ledger : new Map();
    expect(await sent({ transitions, ledger, now: 400 })).toBe(600);
  });

  test("[MAN-154] a wait longer than the call's timeout is refused", async () => {
    const transitions = [to({ rate_limit_ms: 1_000 })];
    const first = await call({ transitions });
    const ledger = first.kind === 'go' ? first.ledger : new Map();
    expect(await sent({ transitions, ledger, now: 100, timeoutMs: 900 })).toBe(900);
    expect(await sent({ transitions, ledger, now: 100, timeoutMs: 899 })).toBe('handler_timeout');
  });

  test('[MAN-155] traversal stops after max_attempts', async () => {
    const transitions = [to({ convergence: { max_attempts: 2 } })];
    let ledger: TransitionLedger = new Map();
    const answers: unknown[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await call({ transitions, ledger });
      if (answer.kind === 'go') ledger = answer.ledger;
      answers.push(answer.kind === 'go' ? 'go' : answer.error.toJSON());
    }
    expect(answers).toMatchObject([
      'go',
      'go',
      { code: 'state_mismatch', evidence: { transition: 't', attempts: 2 } },
    ]);
  });

  test("[MAN-155] traversal stops when complete_when holds, as a state or a host's condition", async () => {
    const transitions = [to({ convergence: { complete_when: 'last', max_attempts: 9 } })];
    expect(await sent({ transitions, page: { li: 1 } })).toBe(0);
    expect(await sent({ transitions, page: { '.end': 1 } })).toBe('state_mismatch');
    const delivered = [to({ convergence: { complete_when: 'no_new_result_urls' } })];
    expect(await sent({ transitions: delivered })).toBe(0);
    expect(await sent({ transitions: delivered, conditions: ['no_new_result_urls'] })).toBe('state_mismatch');
  });

  test('[MAN-155] attempts are counted from zero after the page has left the traversal', async () => {
    const transitions = [
      to({ from: 'results', convergence: { max_attempts: 1 } }),
      to({ name: 'back', tool: 'other' }),
    ];
    const first = await call({ transitions, page: { li: 1 } });
    const ledger = first.kind === 'go' ? first.ledger : new Map();
    expect(await sent({ transitions, ledger, page: { li: 1 } })).toBe('state_mismatch');
    const away = [...transitions, to({ name: 'elsewhere', from: 'last' })];
    const left = await call({ transitions: away, ledger, page: { '.end': 1 } });
    expect(left.kind === 'go' ? left.ledger.get('t')?.attempts : 'refused').toBe(0);
  });

  test('[MAN-154] two traversals are never closer than the limit', () => {
    const waits = fc.array(fc.record({ after: fc.nat(400), timeoutMs: fc.nat(1_000) }), { maxLength: 40 });
    fc.assert(
      fc.property(
        waits,
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 20 }),
        (calls, rate, most) => {
          const transitions = [to({ rate_limit_ms: rate, convergence: { max_attempts: most } })];
          let ledger: TransitionLedger = new Map();
          let now = 0;
          const starts: number[] = [];
          for (const { after, timeoutMs } of calls) {
            now += after;
            const answer = admitCall('next', transitions, ledger, { now, timeoutMs, holding: new Set() });
            if (answer.kind === 'refused') continue;
            expect(answer.waitMs).toBeLessThanOrEqual(timeoutMs);
            starts.push(now + answer.waitMs);
            ledger = answer.ledger;
          }
          expect(starts.length).toBeLessThanOrEqual(most);
          for (const [index, start] of starts.entries()) {
            expect(start - (starts[index - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(rate);
          }
        },
      ),
    );
  });
});

test('[MAN-230] states and refusals are sent as items of the bridge', async () => {
  const diagnoses = await diagnose(STATES, ['results'], fakePage('https://shop.test/', { li: 1 }));
  const attachments = [{ id: 'launcher', state: 'installed' }];
  const status = runtimeStatus(diagnoses, { runtimeId: 'r', url: 'https://shop.test/', now: 0, attachments });
  expect(bridge.read(status)).toMatchObject({ type: 'runtime_status', states: ['results'], attachments });
  const answer = await call({ target: { state: 'last' } });
  const error = answer.kind === 'refused' ? answer.error : new BridgeError('handler_failed', 'none');
  expect(bridge.read({ type: 'action_error', call_id: 'c', error: error.toJSON() })).toMatchObject({
    error: { code: 'state_mismatch' },
  });
});
