import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestRelay } from '../../test/server/test-relay.ts';

const CLIENT = join(import.meta.dirname, '../../test/contract/newer_chat_client.py');

test('[CHT-309] [CHT-312] [CHT-313] [CHT-314] [CHT-316] [CHT-318] [CHT-319] [CHT-320] [CHT-321] [CHT-322] [CHT-323] [CHT-324] [CHT-326] [CHT-328] [CHT-337] [CHT-340] clients written from the description of the newer frames work in Python', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const proxy = await relay.mint('proxy');
  const { stdout } = await promisify(execFile)('python3', [CLIENT, relay.url, person.token, proxy.token]);
  expect(stdout.trim().split('\n')).toEqual([
    'ok agent types',
    'ok content_blocks',
    'ok partial history',
    'ok history chunks',
    'ok subscribe',
    'ok details as blocks',
    'ok session_patch',
    'ok message_delta',
    'ok chat_list',
    'ok stop receipts',
    'ok scheduled sends',
    'ok older peers',
  ]);
});
