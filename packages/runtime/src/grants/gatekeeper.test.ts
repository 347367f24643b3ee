import { type Answer, type Asker, EFFECTS, type EffectClass, type Question } from '@drawbridge/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { denyAll } from './askers.ts';
import { createGatekeeper, type PermissionRequest } from './gatekeeper.ts';
import { createGrantBook } from './grant-book.ts';

const SHOP = 'https://shop.example';

/** A person with scripted answers, who records the questions. */
function answeringPerson(answers: (question: Question) => Answer): Asker & { asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      return answers(question);
    },
  };
}

const once = ({ call_hash }: Question): Answer => ({ decision: 'once', call_hash, by: 'device-1' });
const always = ({ call_hash }: Question): Answer => ({ decision: 'always', call_hash, by: 'device-1' });

function setUp(asker: Asker = denyAll('nobody is here')) {
  let made = 0;
  let time = 1_000;
  const newId = () => `id-${++made}`;
  const now = () => time;
  const grants = createGrantBook({ now, newId });
  const gatekeeper = createGatekeeper({ grants, asker, now, newId });
  const permit = async (fields: Partial<PermissionRequest> = {}) => {
    const permitted = await gatekeeper.permit(
      {
        runtime_id: 'runtime-1',
        runtime_key: 'tab-1',
        call_id: 'call-1',
        origin: SHOP,
        name: 'element.click',
        arguments: { id: '7' },
        effect: 'act',
        remainingMs: 5_000,
        ...fields,
      },
      new AbortController().signal,
    );
    permitted.storeGrant?.();
    return permitted;
  };
  return { grants, permit, pass: (ms: number) => (time += ms) };
}

const denied = { code: 'permission_denied' };

describe('a tab that is not lent', () => {
  test.each(EFFECTS)('[BRG-80] [BRG-131] gets no %s call without a person', async (effect) => {
    await expect(setUp().permit({ effect })).rejects.toMatchObject({
      ...denied,
      evidence: { name: 'element.click', origin: SHOP, effect, reason: 'nobody is here' },
    });
  });

  test('[BRG-131] stays closed when another tab is lent', async () => {
    const { grants, permit } = setUp();
    grants.lend('tab-1', 'device-1');
    await permit();
    await expect(permit({ runtime_key: 'tab-2' })).rejects.toMatchObject(denied);
  });

  test('[BRG-46] gives each approval its own id, even for the same tab', () => {
    const { grants } = setUp();
    const ids = [
      grants.lend('tab-1', 'device-1'),
      grants.lend('tab-2', 'device-1'),
      grants.lend('tab-1', 'device-1'),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(new Set(grants.list().map(({ grant_id }) => grant_id))).toEqual(new Set(ids.slice(1)));
  });
});

describe('a lent tab', () => {
  test('[BRG-128] reads and acts without asking; an irreversible call asks', async () => {
    const person = answeringPerson(once);
    const { grants, permit } = setUp(person);
    grants.lend('tab-1', 'device-1');
    await permit({ effect: 'read' });
    await permit({ effect: 'act' });
    expect(person.asked).toEqual([]);
    await permit({ effect: 'irreversible', arguments: { id: '7', value: 'two\nlines' } });
    expect(person.asked).toMatchObject([
      {
        origin: SHOP,
        name: 'element.click',
        effect: 'irreversible',
        sentence: 'element.click at https://shop.example. This can’t be undone.',
        data: ['"id": "7"', '"value": "two ⏎ lines"'],
        expires_at: 6_000,
      },
    ]);
  });

  test('[BRG-128] lets a tool in under a grant that names it, at that origin only', async () => {
    const { grants, permit } = setUp();
    grants.add({ origin: SHOP, covers: { name: 'checkout.pay', effect: 'irreversible' }, by: 'device-1' });
    const pay = { name: 'checkout.pay', effect: 'irreversible' as const };
    await permit(pay);
    await expect(permit({ ...pay, origin: 'https://shop.example.evil' })).rejects.toMatchObject(denied);
    await expect(permit({ ...pay, name: 'checkout.refund' })).rejects.toMatchObject(denied);
  });

  test('[BRG-132] lets nothing in under a revoked or expired grant', async () => {
    const { grants, permit, pass } = setUp();
    const lent = grants.lend('tab-1', 'device-1');
    await permit();
    expect(grants.revoke(lent)).toBe(true);
    await expect(permit()).rejects.toMatchObject(denied);
    grants.add({ origin: SHOP, covers: { effect: 'act' }, by: 'device-1', expires_at: 2_000 });
    await permit();
    pass(1_000);
    await expect(permit()).rejects.toMatchObject(denied);
    expect(grants.list()).toEqual([]);
  });
});

describe("a person's answer", () => {
  test('[BRG-129] counts once', async () => {
    const answers = [
      once,
      (q: Question): Answer => ({ decision: 'deny', call_hash: q.call_hash, by: 'device-1' }),
    ];
    const person = answeringPerson((question) => (answers.shift() ?? once)(question));
    const { permit } = setUp(person);
    await permit();
    await expect(permit()).rejects.toMatchObject(denied);
    expect(person.asked).toHaveLength(2);
  });

  test('[BRG-129] ignores an answer to another call', async () => {
    const stale = answeringPerson((question) => ({ ...once(question), call_hash: '0'.repeat(64) }));
    await expect(setUp(stale).permit()).rejects.toMatchObject({
      ...denied,
      evidence: { reason: 'the answer was for another call' },
    });
  });

  test('[BRG-129] differs for any other call', async () => {
    const person = answeringPerson(once);
    const { permit } = setUp(person);
    const calls: Partial<PermissionRequest>[] = [
      {},
      { arguments: { id: '8' } },
      { arguments: { id: '7', x: 1 } },
      { name: 'element.fill' },
      { origin: 'https://other.example' },
      { call_id: 'call-2' },
      { runtime_id: 'runtime-2' },
    ];
    for (const call of calls) await permit(call);
    expect(new Set(person.asked.map(({ call_hash }) => call_hash)).size).toBe(calls.length);
    await permit({ arguments: { id: '7' } });
    expect(person.asked.at(-1)?.call_hash).toBe(person.asked[0]?.call_hash);
  });

  test('[BRG-128] covers this tool at this origin on "always", up to the class that was asked', async () => {
    const person = answeringPerson(always);
    const { permit } = setUp(person);
    const tool = { name: 'cart.add', effect: 'act' as const };
    await permit(tool);
    await permit({ ...tool, call_id: 'call-2', arguments: { id: '9' } });
    expect(person.asked).toHaveLength(1);
    await permit({ ...tool, origin: 'https://other.example' });
    await permit({ ...tool, effect: 'irreversible' });
    expect(person.asked).toHaveLength(3);
  });

  test('[BRG-128] never covers the next irreversible press on "always", nor a page without an origin', async () => {
    const person = answeringPerson(always);
    const { permit, grants } = setUp(person);
    for (let times = 1; times <= 2; times++) {
      await permit({ effect: 'irreversible' });
      await permit({ name: 'cart.add', origin: 'null' });
      expect(person.asked).toHaveLength(2 * times);
    }
    expect(grants.list()).toEqual([]);
  });
});

test('[BRG-200] gives a loan back with its own classes, and leaves the other grants', async () => {
  const { grants, permit } = setUp(denyAll('nobody is here'));
  const strict = 'tab-2';
  grants.lend('tab-1', 'device-1');
  grants.lend(strict, 'device-1', ['read']);
  grants.revokeAll();
  await expect(permit({ effect: 'act' })).rejects.toMatchObject({ code: 'permission_denied' });
  grants.renew('tab-1', 'Phone');
  grants.renew('tab-1', 'Phone');
  grants.renew(strict, 'Phone');
  await permit({ effect: 'read' });
  await permit({ effect: 'act' });
  expect(grants.list().map(({ runtime_key, covers, by }) => [runtime_key, covers.effect, by])).toEqual([
    ['tab-1', 'read', 'Phone'],
    ['tab-1', 'act', 'Phone'],
    [strict, 'read', 'Phone'],
  ]);
  await expect(permit({ runtime_key: strict, effect: 'act' })).rejects.toMatchObject({
    code: 'permission_denied',
  });
});

test('[BRG-201] asks once, in words, whether a site may be read, for this tab', async () => {
  const person = answeringPerson(once);
  const { permit } = setUp(person);
  const reading = { name: 'page.snapshot', effect: 'read' } as const;
  await permit(reading);
  await permit({ ...reading, name: 'page.extract', call_id: 'call-2' });
  expect(person.asked.map(({ sentence }) => sentence)).toEqual([
    'Read pages of shop.example? A yes counts for this site while the tab is lent.',
  ]);
  await permit({ effect: 'act' });
  await permit({ ...reading, origin: 'https://other.example' });
  await permit({ ...reading, runtime_key: 'tab-2' });
  expect(person.asked).toHaveLength(4);
});

test('[BRG-129] asks again when the page changed after a yes, whatever a grant covers', async () => {
  const person = answeringPerson(once);
  const { permit, grants } = setUp(person);
  grants.lend('tab-1', 'device-1');
  const changed = { before: ['Total 49 €'], now: ['Total 490 €'] };
  await permit({ changed });
  expect(person.asked).toMatchObject([{ changed }]);
});

test('[BRG-129] compares a form with its last version on the same page, and on no other', async () => {
  const person = answeringPerson(once);
  const { permit } = setUp(person);
  const paying = (payee: string, path: string) => {
    const fields = [{ name: 'payee', value: payee, shown: true }];
    const content = { url: `${SHOP}/pay`, method: 'post', fields, amounts: [], text: '' };
    const known = { submits: true, sensitive: true, secret: false, content };
    return permit({ effect: 'irreversible', path, elementContext: known });
  };
  await paying('Anna', '/rent');
  await paying('Ben', '/gifts');
  await paying('Cara', '/rent');
  expect(person.asked.map(({ changed }) => changed?.since)).toEqual([undefined, undefined, 'allowed']);
});

describe('a form that is sent by POST', () => {
  const form = 'form.submit:1';
  const elementContext = {
    label: 'Keep',
    submits: true,
    sensitive: false,
    secret: false,
    form: { to: 'https://shop.example:8443', what: 'post x', weighty: false, texts: [] },
  };
  const sending = { effect: 'act', form, elementContext } as const;

  test('[BRG-128] is not covered by a lent tab and has its own question', async () => {
    const person = answeringPerson(once);
    const { grants, permit } = setUp(person);
    grants.lend('tab-1', 'device-1');
    await permit(sending);
    expect(person.asked).toMatchObject([
      {
        effect: 'act',
        sentence: 'Send this form to shop.example:8443? A yes stands for this form while the tab is lent.',
        data: ['pressing: “Keep”', '"id": "7"'],
      },
    ]);
  });

  test('[BRG-128] is asked about once per form, tab and origin, and again after the tab is lent again', async () => {
    const person = answeringPerson(once);
    const { grants, permit } = setUp(person);
    grants.lend('tab-1', 'device-1');
    const lent = grants.lend('tab-2', 'device-1');
    await permit(sending);
    await permit({ ...sending, name: 'element.keys', call_id: 'call-2' });
    expect(person.asked).toHaveLength(1);
    await permit({ ...sending, form: 'form.submit:2' });
    await permit({ ...sending, origin: 'https://other.example' });
    await permit({ ...sending, runtime_key: 'tab-2' });
    expect(person.asked).toHaveLength(4);
    grants.lend('tab-1', 'device-1');
    await permit(sending);
    grants.revoke(lent);
    expect(grants.list().filter(({ runtime_key }) => runtime_key === 'tab-2')).toEqual([]);
    expect(person.asked).toHaveLength(5);
  });

  test('[BRG-128] on "always" covers all ordinary forms of the origin, but nothing irreversible', async () => {
    const person = answeringPerson(always);
    const { grants, permit } = setUp(person);
    grants.lend('tab-1', 'device-1');
    await permit(sending);
    await permit({ ...sending, form: 'form.submit:2' });
    expect(person.asked).toHaveLength(1);
    await permit({ ...sending, origin: 'https://other.example' });
    await permit({ effect: 'irreversible', elementContext });
    expect(person.asked).toHaveLength(3);
    // A tab that is not lent gains nothing from it.
    await permit({ ...sending, runtime_key: 'tab-9' });
    expect(person.asked).toHaveLength(4);
  });

  test('[BRG-128] is covered by a grant for its tool, but not by one for a primitive', async () => {
    const { grants, permit } = setUp();
    for (const name of ['cart.add', 'element.click'])
      grants.add({ origin: SHOP, covers: { name, effect: 'act' }, by: 'device-1' });
    await permit({ ...sending, name: 'cart.add' });
    await expect(permit(sending)).rejects.toMatchObject(denied);
  });
});

test('[BRG-80] lets nothing in that no grant covers, for any set of grants', async () => {
  const origin = fc.constantFrom(SHOP, 'https://other.example', '*');
  const effect = fc.constantFrom<EffectClass[]>(...EFFECTS);
  const name = fc.constantFrom('element.click', 'cart.add');
  const key = fc.constantFrom('tab-1', 'tab-2');
  const grant = fc.record(
    {
      origin,
      covers: fc.oneof(fc.record({ name, effect }), fc.record({ effect })),
      runtime_key: key,
      expires_at: fc.constantFrom(500, 9_000),
      by: fc.constant('device-1'),
    },
    { requiredKeys: ['origin', 'covers', 'by'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(grant, { maxLength: 5 }), effect, name, key, async (all, what, tool, tab) => {
      const { grants, permit } = setUp();
      for (const one of all) grants.add(one);
      const covered = all.some(
        (one) =>
          (one.origin === '*' || one.origin === SHOP) &&
          (one.runtime_key ?? tab) === tab &&
          (one.expires_at ?? Number.MAX_VALUE) > 1_000 &&
          ('name' in one.covers
            ? one.covers.name === tool && EFFECTS.indexOf(what) <= EFFECTS.indexOf(one.covers.effect)
            : one.covers.effect === what),
      );
      const answer = permit({ effect: what, name: tool, runtime_key: tab }).then(
        () => true,
        () => false,
      );
      expect(await answer).toBe(covered);
    }),
    { numRuns: 500 },
  );
});

describe('a tool that is called like a grant', () => {
  test.each(['inspect', 'inspect cart', 'form.submit'])(
    '[BRG-199] neither gives nor gets the grant %s',
    async (name) => {
      const { grants, permit } = setUp(answeringPerson(always));
      await permit({ name, effect: 'irreversible' });
      await permit({ name, effect: 'read' });
      expect(grants.list()).toEqual([]);
      const strict = setUp();
      strict.grants.add({ origin: SHOP, covers: { name, effect: 'irreversible' }, by: 'Ada' });
      await expect(strict.permit({ name, effect: 'irreversible' })).rejects.toMatchObject(denied);
      await expect(strict.permit({ name, effect: 'read' })).rejects.toMatchObject(denied);
    },
  );
});
