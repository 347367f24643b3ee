import type { AuditAction } from '@drawbridge/protocol/http';
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../src/ledger.ts';
import { event, session, tabSession, task } from './samples.ts';

interface LedgerHandle {
  readonly ledger: Ledger;
  readonly reopen: (ledger: Ledger) => Promise<Ledger>;
}

/** Contract tests of devices, files, audit, settings and tasks. */
export function describeSettingsAndTasks(setUp: () => Promise<LedgerHandle>): void {
  describe('devices, files, audit, settings', () => {
    const device = {
      device_id: 'phone',
      roles: ['runtime', 'person'],
      label: 'Phone',
      scopes: ['chat'],
      token_hash: 'h1',
      created_at: 1,
      last_seen_at: null,
      revoked_at: null,
    };

    test('finds a device by the hash of its token, and a token belongs to one device', async () => {
      const { ledger } = await setUp();
      await ledger.commit([{ do: 'put_device', device }]);
      expect(await ledger.deviceByToken('h1')).toEqual(device);
      const other = await ledger.commit([{ do: 'put_device', device: { ...device, device_id: 'thief' } }]);
      expect(other).toMatchObject({ refusal: { reason: 'token_taken' } });
      await ledger.commit([{ do: 'put_device', device: { ...device, token_hash: 'h2' } }]);
      expect(await ledger.deviceByToken('h1')).toBeUndefined();
      expect(await ledger.devices()).toHaveLength(1);
    });

    test('a revoked device keeps its first revocation time', async () => {
      const { ledger } = await setUp();
      await ledger.commit([{ do: 'put_device', device }]);
      for (const at of [5, 9]) await ledger.commit([{ do: 'revoke_device', device_id: 'phone', at }]);
      expect(await ledger.device('phone')).toMatchObject({ revoked_at: 5 });
      const unknown = await ledger.commit([{ do: 'revoke_device', device_id: 'nobody', at: 5 }]);
      expect(unknown).toMatchObject({ refusal: { reason: 'device_unknown' } });
    });

    test('renames a device and records its use without touching its other fields', async () => {
      const { ledger } = await setUp();
      const revoke = { do: 'revoke_device', device_id: 'phone', at: 5 } as const;
      await ledger.commit([{ do: 'put_device', device }, revoke]);
      await ledger.commit([{ do: 'update_device', device_id: 'phone', label: 'Old phone' }]);
      await ledger.commit([{ do: 'update_device', device_id: 'phone', last_seen_at: 7 }]);
      expect(await ledger.device('phone')).toEqual({
        ...device,
        label: 'Old phone',
        last_seen_at: 7,
        revoked_at: 5,
      });
      const unknown = await ledger.commit([{ do: 'update_device', device_id: 'nobody', label: 'x' }]);
      expect(unknown).toMatchObject({ refusal: { reason: 'device_unknown' } });
    });

    test('keeps the last device with a role when two are revoked at once', async () => {
      const { ledger } = await setUp();
      const revoke = (device_id: string) => ({
        do: 'revoke_device' as const,
        device_id,
        at: 5,
        unless_last: 'person',
      });
      await ledger.commit([
        { do: 'put_device', device },
        { do: 'put_device', device: { ...device, device_id: 'tablet', token_hash: 'h2' } },
        { do: 'put_device', device: { ...device, device_id: 'agent', token_hash: 'h3', roles: ['agent'] } },
      ]);
      const both = await Promise.all(['phone', 'tablet'].map((each) => ledger.commit([revoke(each)])));
      expect(both).toMatchObject([{ committed: true }, { refusal: { reason: 'device_last' } }]);
      expect(await ledger.commit([revoke('agent'), revoke('phone')])).toMatchObject({ committed: true });
      expect(await ledger.device('tablet')).toMatchObject({ revoked_at: null });
    });

    test('stores files, audit entries and settings', async () => {
      const { ledger } = await setUp();
      const file = {
        file_id: 'f1',
        session_id: 'a',
        device_id: 'phone',
        name: 'a.png',
        media_type: 'image/png',
        bytes: 12,
        sha256: 'x',
        created_at: 2,
      };
      await ledger.commit([session('a'), { do: 'put_file', file }]);
      expect(await ledger.commit([{ do: 'put_file', file }])).toMatchObject({
        refusal: { reason: 'file_exists' },
      });
      expect(await ledger.file('f1')).toEqual(file);
      expect(await ledger.hasContent(file.sha256)).toBe(true);
      expect(await ledger.filesOf('a')).toEqual([file]);
      expect(await ledger.filesOf('b')).toEqual([]);
      await ledger.commit([{ do: 'delete_file', file_id: 'f1' }]);
      expect(await ledger.file('f1')).toBeUndefined();
      expect(await ledger.hasContent(file.sha256)).toBe(false);
      const entry = (action: AuditAction) => ({
        at: 1,
        device_id: null,
        action,
        subject: 'phone',
        detail: {},
      });
      for (const action of ['device_added', 'device_revoked'] as const)
        await ledger.commit([{ do: 'audit', entry: entry(action) }]);
      expect(await ledger.auditBefore(Number.MAX_SAFE_INTEGER, 9)).toMatchObject([
        { number: 2, action: 'device_revoked' },
        { number: 1, action: 'device_added' },
      ]);
      expect(await ledger.auditBefore(2, 9)).toMatchObject([{ action: 'device_added' }]);
      await ledger.commit([{ do: 'put_setting', key: 'vapid', value: { public: 'k' } }]);
      expect(await ledger.setting('vapid')).toEqual({ public: 'k' });
      for (const key of ['job:b', 'job:a', 'jobs', 'job']) {
        await ledger.commit([{ do: 'put_setting', key, value: key }]);
      }
      expect(await ledger.settingsUnder('job:')).toEqual([
        { key: 'job:a', value: 'job:a' },
        { key: 'job:b', value: 'job:b' },
      ]);
      await ledger.commit([{ do: 'put_setting', key: 'vapid', value: null }]);
      expect(await ledger.setting('vapid')).toBeUndefined();
    });
  });

  describe('tasks', () => {
    test('returns a task as written, counts its writes, and keeps its position, also across a restart', async () => {
      const { ledger, reopen } = await setUp();
      await ledger.commit([session('a'), session('b')]);
      const made = await ledger.commit([task('a', 't1', 0), task('b', 't2', 0)]);
      expect(made).toMatchObject({ results: [{ revision: 1 }, { revision: 1 }] });
      const done = {
        state: 'completed',
        settled_at: 9,
        updated_at: 9,
        priority: 3,
        body: { n: 1 },
      } as const;
      expect(await ledger.commit([task('a', 't1', 1, done)])).toMatchObject({ results: [{ revision: 2 }] });
      const again = await reopen(ledger);
      expect(await again.task('t1')).toEqual({
        task_id: 't1',
        session_id: 'a',
        device_id: 'phone',
        created_at: 6,
        revision: 2,
        ...done,
      });
      expect((await again.tasksBefore(null, 9)).map(({ task_id }) => task_id)).toEqual(['t2', 't1']);
      expect(await again.task('t3')).toBeUndefined();
    });

    test('refuses one of two writers that have read the same revision, with the current task', async () => {
      const { ledger } = await setUp();
      await ledger.commit([session('a'), task('a', 't1', 0)]);
      const both = await Promise.all([
        ledger.commit([task('a', 't1', 1, { body: { by: 'first' } })]),
        ledger.commit([event('a', 'e1'), task('a', 't1', 1, { body: { by: 'second' } })]),
      ]);
      expect(both).toMatchObject([
        { committed: true, results: [{ revision: 2 }] },
        { committed: false, at: 1, refusal: { reason: 'task_changed', task: { revision: 2 } } },
      ]);
      expect(await ledger.task('t1')).toMatchObject({ revision: 2, body: { by: 'first' } });
      expect(await ledger.session('a')).toMatchObject({ head: 0 });
      const refusals = await Promise.all([
        ledger.commit([task('a', 't1', 0)]),
        ledger.commit([task('a', 't9', 4)]),
        ledger.commit([task('nowhere', 't8', 0)]),
      ]);
      expect(refusals).toMatchObject([
        { refusal: { reason: 'task_changed', task: { revision: 2 } } },
        { refusal: { reason: 'task_changed' } },
        { refusal: { reason: 'session_unknown' } },
      ]);
      expect(await ledger.task('t9')).toBeUndefined();
    });

    test('reads open tasks separately, the oldest first; a list goes back from a task, the newest first', async () => {
      const { ledger } = await setUp();
      const ended = { state: 'failed', settled_at: 8 } as const;
      await ledger.commit([session('a'), ...['t1', 't2', 't3', 't4'].map((each) => task('a', each, 0))]);
      await ledger.commit([task('a', 't2', 1, ended)]);
      const ids = (found: readonly { readonly task_id: string }[]) => found.map(({ task_id }) => task_id);
      expect(ids(await ledger.openTasks())).toEqual(['t1', 't3', 't4']);
      expect(ids(await ledger.tasksBefore(null, 2))).toEqual(['t4', 't3']);
      expect(ids(await ledger.tasksBefore('t3', 9))).toEqual(['t2', 't1']);
      expect(ids(await ledger.tasksBefore('t1', 9))).toEqual([]);
      expect(ids(await ledger.tasksBefore('nowhere', 9))).toEqual([]);
      expect(ids(await ledger.tasksBefore(null, -1))).toEqual([]);
    });

    test('returns a tab session as written last, and finds the latest by device and domain', async () => {
      const { ledger, reopen } = await setUp();
      await ledger.commit(['a', 'b', 'c', 'd'].map((each) => session(each)));
      const moved = { domain: 'other.example', tab_id: 7, is_renamed: true, metadata: { initialUrl: 'x' } };
      await ledger.commit([
        tabSession('a', { updated_at: 9 }),
        tabSession('b', { updated_at: 5, device_id: 'laptop' }),
        tabSession('c', { updated_at: 1 }),
      ]);
      await ledger.commit([tabSession('c', { ...moved, updated_at: 9 })]);
      const again = await reopen(ledger);
      expect(await again.tabSession('c')).toEqual(tabSession('c', { ...moved, updated_at: 9 }).session);
      expect(await again.tabSession('d')).toBeUndefined();
      const latest = async (by: { device_id?: string; domain?: string }) =>
        (await again.latestTabSession(by))?.session_id;
      expect(await latest({})).toBe('c');
      expect(await latest({ device_id: 'laptop' })).toBe('b');
      expect(await latest({ domain: 'shop.example' })).toBe('a');
      expect(await latest({ device_id: 'phone', domain: 'other.example' })).toBe('c');
      expect(await latest({ device_id: 'laptop', domain: 'other.example' })).toBeUndefined();
      const ofPhone = async (limit: number) =>
        (await again.tabSessionsOf('phone', limit)).map(({ session_id }) => session_id);
      expect([await ofPhone(9), await ofPhone(1), await ofPhone(-1)]).toEqual([['c', 'a'], ['c'], []]);
      const unknown = await again.commit([tabSession('nowhere')]);
      expect(unknown).toMatchObject({ refusal: { reason: 'session_unknown' } });
    });
  });
}
