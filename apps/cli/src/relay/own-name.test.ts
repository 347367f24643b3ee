import { expect, test } from 'vitest';
import { peoplesUrl } from './own-name.ts';

const resolves = async () => ({ address: '127.0.0.1' });
const fails = () => Promise.reject(new Error('ENOTFOUND'));

test('prefers a separate host name that resolves to this machine, or uses the address', async () => {
  expect(await peoplesUrl('http://127.0.0.1:7717', resolves)).toBe('http://drawbridge.localhost:7717');
  expect(await peoplesUrl('http://127.0.0.1:7717', fails)).toBe('http://127.0.0.1:7717');
  const elsewhere = async () => ({ address: '192.0.2.1' });
  expect(await peoplesUrl('http://127.0.0.1:7717', elsewhere)).toBe('http://127.0.0.1:7717');
});

test('keeps addresses with TLS or of another machine', async () => {
  for (const url of ['https://127.0.0.1:7717', 'https://relay.example', 'http://[::1]:7717'])
    expect(await peoplesUrl(url, resolves)).toBe(url);
});
