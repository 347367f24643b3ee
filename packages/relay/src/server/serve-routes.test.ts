import { type Access, ROUTES, type Role } from '@drawbridge/protocol/http';
import { expect, test } from 'vitest';
import { startTestRelay } from '../../test/server/test-relay.ts';

/** Roles that a route turns away before its handler runs. `device`: decided by the handler. */
const REFUSED: Readonly<Record<Access, readonly Role[]>> = {
  anybody: [],
  device: [],
  person: ['agent', 'proxy', 'runtime'],
  home: ['agent', 'proxy', 'runtime'],
  owner: ['person', 'agent', 'proxy', 'runtime'],
  owner_at_home: ['person', 'agent', 'proxy', 'runtime'],
  proxy: ['owner', 'person', 'agent', 'runtime'],
  browser: ['agent', 'proxy'],
  tasks: ['proxy', 'runtime'],
  files: ['agent', 'runtime'],
  listener: ['agent', 'proxy'],
};

test('each route answers 401 without a credential, 403 to the roles that it does not admit', async () => {
  const relay = await startTestRelay({ taskClients: true, limits: { failures_per_minute: 1_000_000 } });
  const roles = ['owner', 'person', 'agent', 'proxy', 'runtime'] as const;
  const tokens = new Map<Role, string>();
  for (const role of roles) tokens.set(role, (await relay.mint(role)).token);

  for (const [name, { access }] of Object.entries(ROUTES)) {
    const [method = '', template = ''] = name.split(' ');
    const url = `${relay.url}${template.replaceAll(/\{\w+\}/g, 'nothing')}`;
    const statusFor = async (token?: string): Promise<number> => {
      const headers = {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const body = method === 'GET' || method === 'DELETE' ? null : '{}';
      const response = await fetch(url, { method, headers, body, redirect: 'manual' });
      await response.arrayBuffer();
      return response.status;
    };
    if (access !== 'anybody') expect([name, await statusFor()]).toEqual([name, 401]);
    for (const role of REFUSED[access])
      expect([name, role, await statusFor(tokens.get(role))]).toEqual([name, role, 403]);
  }
});
