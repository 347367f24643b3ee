import type { Attachment } from '@drawbridge/protocol/manifest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMap } from '../../test/compose/sample-maps.ts';
import { NO_SIGNALS_YET, receiveNamed } from '../signal/signal-gate.ts';
import type { AttachmentEffect, AttachmentEvent } from './attachment-effect.ts';
import { type AttachmentStates, startAttachments, stepAttachment } from './attachment-machine.ts';
import { attachmentStatus } from './attachment-status.ts';

const LIFECYCLE = {
  install: 'when_target_matches',
  remove: 'when_context_mismatch',
  reattach: 'on_url_or_dom_change',
};

interface Fields {
  readonly lifecycle?: object;
  readonly affordance?: object;
  readonly target?: object;
  readonly signals?: NonNullable<Attachment['signals']>;
}

function attachment(fields: Fields = {}): Attachment {
  const [made] =
    aMap({
      attachments: [
        {
          id: 'launcher',
          kind: 'overlay_launcher',
          target: { selector: 'h2', url_contains: '/search', ...fields.target },
          lifecycle: { ...LIFECYCLE, ...fields.lifecycle },
          affordance: {
            label: 'Categories',
            placement: 'beforebegin',
            opens: { tool: 'overlay.open', arguments: { title: 'Categories' } },
            ...fields.affordance,
          },
          ...(fields.signals === undefined ? {} : { signals: fields.signals }),
        },
      ],
    }).attachments ?? [];
  if (made === undefined) throw new Error('There is an attachment.');
  return made;
}

/** A minimal host: sends events and acknowledges every effect at once. */
function drive(one: Attachment) {
  let { states, effects }: { states: AttachmentStates; effects: readonly AttachmentEffect[] } =
    startAttachments([one]);
  const seen: AttachmentEffect[] = [...effects];
  const send = (event: AttachmentEvent): void => {
    ({ states, effects } = stepAttachment([one], states, event));
    seen.push(...effects);
    for (const effect of effects) {
      if (effect.type === 'install') send({ type: 'installed', id: one.id, anchor: effect.anchor });
      if (effect.type === 'remove') send({ type: 'removed', id: one.id, anchor: effect.anchor });
    }
  };
  return {
    send,
    look: (anchors: readonly string[], url = 'https://shop.test/search', current: readonly string[] = []) =>
      send({ type: 'observed', id: one.id, url, states: new Set(current), anchors }),
    /** Effects since the last call, installs and removals as `+anchor` and `-anchor`. */
    done: () => seen.splice(0).map(inShort),
    status: () => attachmentStatus(states),
  };
}

function inShort(effect: AttachmentEffect): string {
  if (effect.type === 'install') return `+${effect.anchor}`;
  if (effect.type === 'remove') return `-${effect.anchor}`;
  if (effect.type === 'signal') return `${effect.name} ${effect.payload['change']}`;
  return effect.type;
}

describe('lifecycle', () => {
  test('[MAN-205] installs with label and placement when the target appears, however late', () => {
    const one = attachment();
    const host = drive(one);
    host.look([]);
    host.look([]);
    expect(host.done()).toEqual([]);
    const { effects } = stepAttachment([one], startAttachments([one]).states, {
      type: 'observed',
      id: 'launcher',
      url: 'https://shop.test/search',
      states: new Set(),
      anchors: ['a'],
    });
    expect(effects).toEqual([
      {
        type: 'install',
        id: 'launcher',
        anchor: 'a',
        kind: 'overlay_launcher',
        label: 'Categories',
        placement: 'beforebegin',
      },
    ]);
    host.look(['a']);
    host.look(['a']);
    expect(host.done()).toEqual(['+a']);
    expect(host.status()).toEqual([{ id: 'launcher', state: 'installed' }]);
  });

  test('[MAN-205] does not install on another url or outside its state', () => {
    const host = drive(attachment({ target: { state: 'ready' } }));
    host.look(['a'], 'https://shop.test/cart', ['ready']);
    host.look(['a'], 'https://shop.test/search', []);
    expect(host.done()).toEqual([]);
    host.look(['a'], 'https://shop.test/search', ['ready']);
    expect(host.done()).toEqual(['+a']);
  });

  test('[MAN-206] is removed when its target or its url no longer matches', () => {
    const host = drive(attachment());
    host.look(['a']);
    host.look(['a'], 'https://shop.test/cart');
    expect(host.done()).toEqual(['+a', '-a']);
    host.look(['a']);
    host.look([]);
    expect(host.done()).toEqual(['+a', '-a']);
  });

  test('[MAN-206] stays when its remove policy is never', () => {
    const host = drive(attachment({ lifecycle: { remove: 'never' } }));
    host.look(['a']);
    host.look(['a'], 'https://shop.test/cart');
    host.look([]);
    expect(host.done()).toEqual(['+a']);
  });

  test('[MAN-207] is installed again after the page replaced the node or changed its url', () => {
    const host = drive(attachment());
    host.look(['a']);
    host.look(['b']);
    expect(host.done()).toEqual(['+a', '-a', '+b']);
    host.send({ type: 'detached', id: 'launcher', anchor: 'b' });
    host.look(['b']);
    expect(host.done()).toEqual(['+b']);
    host.look([], 'https://shop.test/cart');
    host.look(['c'], 'https://shop.test/search?q=2');
    expect(host.done()).toEqual(['-b', '+c']);
  });

  test.each([{ reattach: 'never' }, { reattach: undefined }])(
    '[MAN-207] stays removed with %j',
    (lifecycle) => {
      const host = drive(attachment({ lifecycle }));
      host.look(['a']);
      host.look(['b']);
      host.look(['b']);
      expect(host.done()).toEqual(['+a', '-a']);
    },
  );

  test('[MAN-208] never exceeds max_instances, which is one by default', () => {
    const two = drive(attachment({ affordance: { max_instances: 2 } }));
    two.look(['a', 'b', 'c']);
    two.look(['c', 'b', 'a', 'd']);
    expect(two.done()).toEqual(['+a', '+b']);
    two.look(['b', 'c']);
    expect(two.done()).toEqual(['-a', '+c']);
    const one = drive(attachment());
    one.look(['a', 'a', 'b']);
    expect(one.done()).toEqual(['+a']);
  });

  test('[MAN-209] follows the drift policy when the target can no longer be found', () => {
    const followed = (drift: string | undefined, remove = 'when_context_mismatch') => {
      const host = drive(attachment({ lifecycle: { drift, remove } }));
      host.look([]);
      host.look(['a']);
      host.look([]);
      host.look([]);
      return host.done();
    };
    expect(followed(undefined)).toEqual(['+a', '-a']);
    expect(followed('report')).toEqual(['+a', '-a', 'drift']);
    expect(followed('keep')).toEqual(['+a', 'drift']);
    expect(followed('remove', 'never')).toEqual(['+a', '-a', 'drift']);
    expect(followed('handoff_to_user')).toEqual(['+a', '-a', 'drift', 'prompt_person']);
  });

  test('[MAN-209] leaving the url is no drift, and finding the target again ends the drift', () => {
    const host = drive(attachment({ lifecycle: { drift: 'report' } }));
    host.look(['a']);
    host.look([], 'https://shop.test/cart');
    expect(host.done()).toEqual(['+a', '-a']);
    host.look(['a']);
    host.look([]);
    expect(host.status()).toEqual([{ id: 'launcher', state: 'drifted' }]);
    host.look(['b']);
    expect(host.status()).toEqual([{ id: 'launcher', state: 'installed' }]);
    expect(host.done()).toEqual(['+a', '-a', 'drift', '+b']);
  });

  test.each(['install', 'remove', 'reattach', 'drift'])(
    '[MAN-210] a %s policy that we do not know is a warning, and nothing is installed',
    (policy) => {
      for (const value of ['on_full_moon', 7, null, {}]) {
        const host = drive(attachment({ lifecycle: { [policy]: value } }));
        host.look(['a']);
        expect(host.done()).toEqual(['warning']);
      }
    },
  );

  test('[MAN-210] the warning names the policy, and an absent policy gives no warning', () => {
    const { effects } = startAttachments([attachment({ lifecycle: { install: 'later' } })]);
    expect(effects).toEqual([
      { type: 'warning', id: 'launcher', message: expect.stringContaining('lifecycle.install is "later"') },
    ]);
    const absent = { install: undefined, remove: undefined, reattach: undefined };
    expect(startAttachments([attachment({ lifecycle: absent })]).effects).toEqual([]);
  });
});

describe('activation', () => {
  test("[MAN-211] runs the tool in opens with its arguments, as the person's action", () => {
    const one = attachment();
    const looked = stepAttachment([one], startAttachments([one]).states, {
      type: 'observed',
      id: 'launcher',
      url: 'https://shop.test/search',
      states: new Set(),
      anchors: ['a'],
    });
    const installed = stepAttachment([one], looked.states, {
      type: 'installed',
      id: 'launcher',
      anchor: 'a',
    });
    const act = (anchor: string, trusted: boolean) =>
      stepAttachment([one], installed.states, { type: 'activated', id: 'launcher', anchor, trusted }).effects;
    expect(act('a', true)).toEqual([
      {
        type: 'run_tool',
        id: 'launcher',
        tool: 'overlay.open',
        arguments: { title: 'Categories' },
        actor: 'person',
      },
    ]);
    expect(act('a', false)).toMatchObject([{ type: 'warning' }]);
    expect(act('b', true)).toEqual([]);
  });

  test('[MAN-212] sends its signals on activation and on every lifecycle change', () => {
    const host = drive(attachment({ signals: ['moved'], lifecycle: { drift: 'report' } }));
    host.look(['a']);
    host.send({ type: 'activated', id: 'launcher', anchor: 'a', trusted: true });
    host.look(['b']);
    host.send({ type: 'detached', id: 'launcher', anchor: 'b' });
    host.look([]);
    expect(host.done()).toEqual([
      '+a',
      'moved installed',
      'moved activated',
      'run_tool',
      '-a',
      'moved removed',
      '+b',
      'moved reattached',
      'moved detached',
      'drift',
      'moved drifted',
    ]);
    const silent = drive(attachment());
    silent.look(['a']);
    expect(silent.done()).toEqual(['+a']);
  });

  test('[MAN-233] sends the signal that an object names for a change, and no other', () => {
    const signals = {
      activated: 'opened',
      attached: 'shown',
      reattached: 'shown_again',
      drifted: 'lost',
    };
    const host = drive(attachment({ signals, lifecycle: { drift: 'report' } }));
    host.look(['a']);
    host.send({ type: 'activated', id: 'launcher', anchor: 'a', trusted: true });
    host.look(['b']);
    host.send({ type: 'detached', id: 'launcher', anchor: 'b' });
    host.look([]);
    expect(host.done()).toEqual([
      '+a',
      'shown installed',
      'opened activated',
      'run_tool',
      '-a',
      '+b',
      'shown_again reattached',
      'drift',
      'lost drifted',
    ]);
  });

  test("[MAN-212] sends a payload that matches the signal in the contract's example", () => {
    const { signals = [] } = aMap({
      signals: [
        {
          name: 'moved',
          event: 'x:moved',
          ingestion: 'enabled',
          payload: {
            type: 'object',
            required: ['launcher_id'],
            properties: { launcher_id: { type: 'string' } },
          },
        },
      ],
    });
    const one = attachment({ signals: ['moved'] });
    let { states } = startAttachments([one]);
    const events: AttachmentEvent[] = [
      {
        type: 'observed',
        id: 'launcher',
        url: 'https://shop.test/search',
        states: new Set(),
        anchors: ['a'],
      },
      { type: 'installed', id: 'launcher', anchor: 'a' },
    ];
    let sent: readonly AttachmentEffect[] = [];
    for (const event of events) ({ states, effects: sent } = stepAttachment([one], states, event));
    const [signal] = sent;
    if (signal?.type !== 'signal') throw new Error('It sends a signal.');
    const moment = { now: 0, place: { url: 'https://shop.test/search', states: new Set<string>() } };
    const { outcomes } = receiveNamed(signals, NO_SIGNALS_YET, signal.name, signal.payload, moment);
    expect(outcomes).toMatchObject([{ type: 'forward', signal: { payload: { launcher_id: 'launcher' } } }]);
  });
});

/** A host that runs effects in order, but only on request, on a page that drops nodes. */
function slowHost(one: Attachment) {
  const page = new Set<string>();
  const queue: AttachmentEffect[] = [];
  let { states } = startAttachments([one]);
  const send = (event: AttachmentEvent) => {
    const answer = stepAttachment([one], states, event);
    ({ states } = answer);
    queue.push(...answer.effects.filter(({ type }) => type === 'install' || type === 'remove'));
  };
  return {
    page,
    look: (anchors: readonly string[], url = 'https://shop.test/search') =>
      send({ type: 'observed', id: one.id, url, states: new Set(), anchors }),
    drop: (anchor: string) => {
      if (page.delete(anchor)) send({ type: 'detached', id: one.id, anchor });
    },
    work: (fails = false) => {
      const effect = queue.shift();
      if (effect?.type === 'install') {
        if (!fails) page.add(effect.anchor);
        send({ type: fails ? 'install_failed' : 'installed', id: one.id, anchor: effect.anchor });
      } else if (effect?.type === 'remove') {
        page.delete(effect.anchor);
        send({ type: 'removed', id: one.id, anchor: effect.anchor });
      }
    },
  };
}

test('[MAN-208] a late answer does not free the slot of another request', () => {
  const host = slowHost(attachment());
  host.look(['a']);
  host.work();
  host.look([]);
  host.drop('a');
  host.look(['a', 'b']);
  host.look(['b', 'a']);
  for (let turn = 0; turn < 5; turn++) {
    host.work();
    expect(host.page.size).toBeLessThanOrEqual(1);
  }
  expect([...host.page]).toEqual(['b']);
});

test('[MAN-208] an installed instance keeps its slot after an install_failed', () => {
  const host = drive(attachment());
  host.look(['a']);
  host.send({ type: 'install_failed', id: 'launcher', anchor: 'a' });
  host.look(['b', 'a']);
  expect(host.done()).toEqual(['+a']);
});

describe('any sequence of events', () => {
  const anchor = fc.constantFrom('a', 'b', 'c', 'd');
  const url = fc.constantFrom('https://shop.test/search', 'https://shop.test/cart');
  const policies = fc.record({
    remove: fc.constantFrom('when_context_mismatch', 'never'),
    reattach: fc.constantFrom('on_url_or_dom_change', 'never'),
    drift: fc.constantFrom('report', 'remove', 'keep', undefined),
  });
  const most = fc.integer({ min: 1, max: 3 });
  const happening = fc.oneof(
    fc.record({ what: fc.constant('look' as const), url, anchors: fc.array(anchor, { maxLength: 4 }) }),
    fc.record({ what: fc.constant('work' as const), fails: fc.boolean() }),
    fc.record({ what: fc.constant('drop' as const), anchor }),
  );

  test('[MAN-208] the page never holds more than max_instances', () => {
    const property = fc.property(
      policies,
      most,
      fc.array(happening, { maxLength: 60 }),
      (lifecycle, max_instances, happenings) => {
        const host = slowHost(attachment({ lifecycle, affordance: { max_instances } }));
        for (const event of happenings) {
          if (event.what === 'look') host.look(event.anchors, event.url);
          else if (event.what === 'drop') host.drop(event.anchor);
          else host.work(event.fails);
          expect(host.page.size).toBeLessThanOrEqual(max_instances);
        }
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  const anything = fc.oneof(
    fc.record({
      type: fc.constant('observed' as const),
      id: fc.constant('launcher'),
      url,
      states: fc.constant(new Set<string>()),
      anchors: fc.array(anchor, { maxLength: 4 }),
    }),
    fc.record({
      type: fc.constantFrom(
        'installed' as const,
        'install_failed' as const,
        'removed' as const,
        'detached' as const,
      ),
      id: fc.constantFrom('launcher', 'unheard-of'),
      anchor,
    }),
    fc.record({
      type: fc.constant('activated' as const),
      id: fc.constant('launcher'),
      anchor,
      trusted: fc.boolean(),
    }),
  );

  test('[MAN-208] the machine never counts more instances either, even when the host reports false events', () => {
    fc.assert(
      fc.property(
        policies,
        most,
        fc.array(anything, { maxLength: 60 }),
        (lifecycle, max_instances, events) => {
          const one = attachment({ lifecycle, affordance: { max_instances } });
          let { states } = startAttachments([one]);
          for (const event of events) {
            ({ states } = stepAttachment([one], states, event));
            expect(states.get(one.id)?.instances.size).toBeLessThanOrEqual(max_instances);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
