import { expect, test } from 'vitest';
import { requestOf } from './call.ts';

test('fills the parameters of the path, encoded', () => {
  expect(requestOf('GET /api/sessions/{session_id}/export', { session_id: 'a/b c' })).toEqual({
    method: 'GET',
    path: '/api/sessions/a%2Fb%20c/export',
  });
});

test('appends the query, and leaves out values that are undefined', () => {
  const { path } = requestOf('GET /api/audit', { query: { limit: 5, before: undefined, action: 'a&b' } });
  expect(path).toBe('/api/audit?limit=5&action=a%26b');
});

test('a POST has a body, so that it is sent as JSON', () => {
  const body = { session_id: 's', content: 'Hello', trigger_kind: 'idle' };
  expect(requestOf('POST /api/scheduled-sends', { body })).toMatchObject({ method: 'POST', body });
  expect(requestOf('DELETE /api/scheduled-sends/{id}', { id: '1' })).not.toHaveProperty('body');
});
