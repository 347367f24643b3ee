import { bridge } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { aMap, tool } from '../../test/compose/sample-maps.ts';
import { fakePage } from '../../test/state/fake-page.ts';
import type { CheckedMap } from './assertion.ts';
import { blockOf } from './call-block.ts';
import { effectsOf } from './check-effect.ts';
import { runChecks } from './check-run.ts';

const NOW = Date.UTC(2026, 2, 19, 10, 15, 30);
const PAGE_URL = 'https://shop.test/search';

const parts = aMap({
  tools: [tool('search', { target: { selector: 'form' } }), tool('pay'), tool('bare')],
  states: [{ name: 'ready', diagnostics: [{ name: 'd', target: { selector: 'main' } }] }],
  signals: [{ name: 'moved', target: { selector: '.signal' } }],
  attachments: [{ id: 'button', kind: 'status_badge', target: { selector: 'h2' }, lifecycle: {} }],
});
const MAP: CheckedMap = {
  tools: parts.tools,
  states: parts.states ?? [],
  signals: parts.signals ?? [],
  attachments: parts.attachments ?? [],
};

type Elements = Parameters<typeof fakePage>[1];

const checksOf = (...checks: readonly object[]) => aMap({ checks }).checks ?? [];

async function resultOf(check: object, elements: Elements = {}) {
  const [result] = await runChecks(
    checksOf({ id: 'c', ...check }),
    MAP,
    fakePage(PAGE_URL, elements),
    () => NOW,
  );
  if (result === undefined) throw new Error('A check has a result.');
  return result;
}

const statusOf = async (assertion: object, elements: Elements = {}) =>
  (await resultOf({ assertions: [assertion] }, elements)).status;

describe('results', () => {
  test('[MAN-220] a check passes when all of its assertions hold on the page and fails otherwise', async () => {
    const assertions = [{ target: { selector: 'form' }, visible: true }, { target: { selector: 'main' } }];
    expect(await resultOf({ assertions }, { form: 1, main: 1 })).toMatchObject({ status: 'pass' });
    expect(await resultOf({ assertions }, { form: 1 })).toMatchObject({ status: 'fail' });
    expect(await resultOf({ assertions }, { form: { visible: false }, main: 1 })).toMatchObject({
      status: 'fail',
    });
  });

  test('[MAN-220] visible requires a visible or a hidden element; without it, presence is enough', async () => {
    const hidden = { form: { visible: false } };
    const target = { selector: 'form' };
    expect(await statusOf({ target }, hidden)).toBe('pass');
    expect(await statusOf({ target, visible: true }, hidden)).toBe('fail');
    expect(await statusOf({ target, visible: false }, hidden)).toBe('pass');
    expect(await statusOf({ target, visible: false }, {})).toBe('pass');
    expect(await statusOf({ target, visible: false }, { form: 1 })).toBe('fail');
  });

  test('[MAN-220] an assertion names a tool, a state, an attachment, or a part with a target', async () => {
    expect(await statusOf({ tool: 'search' }, { form: 1 })).toBe('pass');
    expect(await statusOf({ tool: 'search' })).toBe('fail');
    expect(await statusOf({ state: 'ready' }, { main: 1 })).toBe('pass');
    expect(await statusOf({ state: 'ready' })).toBe('fail');
    expect(await statusOf({ attachment: 'button', visible: true }, { h2: 1 })).toBe('pass');
    expect(await statusOf({ attachment: 'button' })).toBe('fail');
    expect(await statusOf({ target: 'moved' }, { '.signal': 1 })).toBe('pass');
    expect(await statusOf({ target: 'moved' })).toBe('fail');
    expect(await statusOf({ tool: 'search', state: 'ready' }, { form: 1 })).toBe('fail');
  });

  test("[MAN-221] a result has the contract's fields, and a structured error when the check failed", async () => {
    const check = { assertions: [{ target: { selector: 'form' }, visible: true }] };
    const found = { form: { usedFallback: true, text: 'a secret' } };
    expect(await resultOf(check, found)).toEqual({
      check_id: 'c',
      status: 'pass',
      severity: 'major',
      observed_at: '2026-03-19T10:15:30.000Z',
      url: PAGE_URL,
      evidence: {
        assertions: [
          {
            subject: 'target',
            status: 'pass',
            reason: 'is visible',
            count: 1,
            visible: true,
            selector: 'form',
            used_fallback: true,
          },
        ],
      },
    });
    const failed = await resultOf(check);
    expect(failed.error).toMatchObject({
      code: 'drift_detected',
      severity: 'major',
      message: expect.stringContaining('target is not on the page'),
      evidence: { check_id: 'c' },
    });
    expect(bridge.read({ type: 'action_error', error: failed.error })).toBeDefined();
  });

  test('[MAN-83] a check is major unless it sets a severity', async () => {
    expect((await resultOf({})).severity).toBe('major');
    expect((await resultOf({ severity: 'minor' })).severity).toBe('minor');
  });

  test('[MAN-222] a status is pass, fail, skipped or error', async () => {
    const form = { selector: 'form' };
    expect(await statusOf({ target: form }, { form: 1 })).toBe('pass');
    expect(await statusOf({ target: form })).toBe('fail');
    expect(await statusOf({ target: { ...form, url_contains: '/cart' } })).toBe('skipped');
    expect(await statusOf({ target: { ...form, state: 'ready' } })).toBe('skipped');
    expect(await statusOf({ tool: 'bare' })).toBe('skipped');
    expect((await resultOf({})).status).toBe('skipped');
    expect(await statusOf({ target: form }, { form: new Error('frame is gone') })).toBe('error');
    expect(await statusOf({ tool: 'shop.gone' })).toBe('error');
    expect(await statusOf({ target: {} })).toBe('error');
  });

  test('[MAN-222] a failure outweighs an error', async () => {
    const assertions = [{ tool: 'gone' }, { target: { selector: 'form' } }, { tool: 'bare' }];
    expect((await resultOf({ assertions })).status).toBe('fail');
    expect((await resultOf({ assertions }, { form: 1 })).status).toBe('error');
  });
});

describe('effects of a failure', () => {
  const on_fail = { store_evidence: ['url', 'dom_snapshot'], contingency: 'handoff_to_user' };
  const effects = async (fields: object, elements: Elements = {}) => {
    const assertions = [{ target: { selector: 'form' } }];
    const [check] = checksOf({ id: 'c', assertions, ...fields });
    if (check === undefined) throw new Error('There is a check.');
    return effectsOf(check, await resultOf({ assertions, ...fields }, elements));
  };

  test('[MAN-223] the evidence in store_evidence is stored when the check failed', async () => {
    expect(await effects({ on_fail })).toContainEqual({
      type: 'store_evidence',
      check_id: 'c',
      names: ['url', 'dom_snapshot'],
    });
    expect(await effects({ on_fail }, { form: 1 })).toEqual([]);
    expect(await effects({})).toEqual([]);
  });

  test('[MAN-224] handoff_to_user prompts a person; other contingencies are left to the host', async () => {
    expect(await effects({ on_fail: { contingency: 'handoff_to_user' } })).toEqual([
      { type: 'prompt_person', check_id: 'c', message: expect.stringContaining('failed') },
    ]);
    expect(await effects({ on_fail: { contingency: 'reload' } })).toEqual([
      { type: 'contingency', check_id: 'c', name: 'reload' },
    ]);
    expect(await effects({ on_fail: { contingency: 'reload' } }, { form: 1 })).toEqual([]);
  });
});

describe('blocking', () => {
  async function blocked(fields: object, elements: Elements = {}, speaksFor?: () => boolean) {
    const checks = checksOf({ id: 'c', ...fields });
    const results = await runChecks(checks, MAP, fakePage(PAGE_URL, elements), () => NOW);
    const codes = MAP.tools.map(({ name }) => blockOf(name, checks, results, MAP, speaksFor)?.code ?? 'free');
    return codes.join(' ');
  }
  const search = { assertions: [{ tool: 'search' }] };

  test('[MAN-225] a failed info or minor check blocks nothing', async () => {
    expect(await blocked({ ...search, severity: 'info' })).toBe('free free free');
    expect(await blocked({ ...search, severity: 'minor' })).toBe('free free free');
  });

  test('[MAN-226] a failed major check blocks the tools it names with drift_detected', async () => {
    expect(await blocked({ ...search, severity: 'major' })).toBe('drift_detected free free');
    expect(await blocked({ assertions: [{ target: 'search' }] })).toBe('drift_detected free free');
    expect(await blocked({ assertions: [{ target: { selector: 'form' } }] })).toBe('free free free');
    expect(await blocked(search, { form: 1 })).toBe('free free free');
  });

  test('[MAN-227] a failed critical check blocks all tools of the map with unsafe_state', async () => {
    const critical = { ...search, severity: 'critical' };
    expect(await blocked(critical)).toBe('unsafe_state unsafe_state unsafe_state');
    expect(await blocked(critical, { form: 1 })).toBe('free free free');
    expect(await blocked(critical, {}, () => false)).toBe('free free free');
  });

  test('[MAN-227] a critical check with an error blocks all tools; a major one blocks none', async () => {
    const broken = { form: new Error('gone') };
    expect(await blocked({ ...search, severity: 'critical' }, broken)).toBe(
      'unsafe_state unsafe_state unsafe_state',
    );
    expect(await blocked(search, broken)).toBe('free free free');
  });

  test('[MAN-227] the error names the check', async () => {
    const checks = checksOf({ id: 'right_user', severity: 'critical', ...search });
    const results = await runChecks(checks, MAP, fakePage(PAGE_URL), () => NOW);
    expect(blockOf('pay', checks, results, MAP)).toMatchObject({
      code: 'unsafe_state',
      severity: 'critical',
      recoverable: false,
      evidence: { tool: 'pay', check_id: 'right_user', url: PAGE_URL },
    });
  });
});
