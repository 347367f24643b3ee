import { randomUUID } from 'node:crypto';
import { createBrain } from '@drawbridge/brain';
import { createModel } from '@drawbridge/brain/models';
import { startScriptedModel } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { docxOf, pdfOf, runOf } from '../../test/interact/documents.ts';
import { CLICK, FINISH, startInteract } from '../../test/interact/interact-harness.ts';
import { extensionOf, pairingCode } from '../../test/interact/public-extension.ts';
import { startTestRelay, type TestRelay } from '../../test/server/test-relay.ts';

const PAGE = {
  url: 'https://shop.test/join',
  domMode: 'semantic',
  interactiveTree: [
    { i: '11', r: 'inp', n: 'First name', v: '' },
    { i: '14', r: 'chk', n: 'Accept terms' },
  ],
  screenshot: null,
};

async function signedIn(relay: TestRelay) {
  const extension = await extensionOf(relay);
  await extension.signIn('ada@example.org', await pairingCode(relay));
  return extension;
}

/** A relay whose brain asks a model that gives these answers. */
async function startWithModel(...decisions: readonly Readonly<Record<string, unknown>>[]) {
  const model = await startScriptedModel(
    decisions.map((fields) => ({
      text: JSON.stringify({
        ...{ thought: 'I go on.', step_done: false, plan: [], element: '', text: '', json: '' },
        ...{ expect: { type: 'none', name: '', to: '' }, confidence: 0.9 },
        ...fields,
      }),
    })),
  );
  onTestFinished(() => model.close());
  const brain = createBrain({
    model: createModel({ provider: 'compatible', model: 'scripted', baseUrl: model.baseUrl }),
  });
  const asked = (turn: number) => JSON.stringify(model.requests()[turn - 1]?.body['messages']);
  return { ...(await signedIn(await startTestRelay({ brain: () => brain }))), asked };
}

function formOf(content: BlobPart, name = 'lamps.csv', type = 'text/csv'): FormData {
  const form = new FormData();
  form.set('file', new File([content], name, { type }));
  form.set('filename', name);
  return form;
}

const UPLOAD = '/api/knowledge/upload-to-s3';

test('[INT-323] [INT-324] a question about an uploaded file is answered in one turn without a page', async () => {
  const { relay, brain } = await startInteract(() => ({ ...FINISH, thought: 'Two lamps.' }));
  const { send } = await signedIn(relay);
  const uploaded = await send('POST', UPLOAD, formOf('lamp\nlamp'));
  const { success, ...attachment } = uploaded.body;
  expect([uploaded.status, success, attachment]).toEqual([
    200,
    true,
    { s3Key: expect.stringMatching(/^uploads\//), filename: 'lamps.csv', mimeType: 'text/csv', size: 9 },
  ]);
  const sessionId = randomUUID();
  const asked = { query: 'How many lamps?', sessionId, attachment };
  const { body } = await send('POST', '/api/agent/interact', asked);
  expect(body).toMatchObject({ action: 'finish()', thought: 'Two lamps.', taskType: 'chat_only' });
  expect(brain.inputs[0]?.file).toEqual({ filename: 'lamps.csv', mimeType: 'text/csv', text: 'lamp\nlamp' });
  const report = await send('GET', `/api/session/${sessionId}/task/${body.taskId}/report?format=json`);
  expect(report.body.task).toMatchObject({ taskType: 'chat_only', result: 'Two lamps.' });

  const onPage = await send('POST', '/api/agent/interact', { ...PAGE, query: 'Order these', attachment });
  expect(onPage.body.taskType).toBe('web_with_file');
  const other = await signedIn(relay);
  expect(
    await other.send('POST', '/api/agent/interact', { ...asked, sessionId: randomUUID() }),
  ).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', path: 'attachment.s3Key' },
  });
});

test('[INT-323] an upload that the relay can not read is refused with a text', async () => {
  const relay = await startTestRelay();
  const { send } = await signedIn(relay);
  const refused = async (form: FormData) => {
    const { status, body } = await send('POST', UPLOAD, form);
    return [status, typeof body.message];
  };
  expect(await refused(formOf('GIF89a', 'a.gif', 'image/gif'))).toEqual([400, 'string']);
  expect(await refused(formOf('x', 'a.constructor', ''))).toEqual([400, 'string']);
  expect(await refused(formOf('a\0b'))).toEqual([400, 'string']);
  expect(await refused(formOf(''))).toEqual([400, 'string']);
  expect(await refused(new FormData())).toEqual([400, 'string']);
  expect(await refused(formOf('x'.repeat(262_145)))).toEqual([413, 'string']);
  expect((await send('POST', UPLOAD, formOf('# Lamps', 'a.md', ''))).body.mimeType).toBe('text/markdown');
  const unknown = await fetch(`${relay.url}${UPLOAD}`, { method: 'POST', body: formOf('a') });
  expect(unknown.status).toBe(401);
});

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test.each([
  ['pdf', 'application/pdf', pdfOf(['Two lamps', 'One chair']), 'Two lamps\n\nOne chair'],
  [
    'docx',
    WORD,
    docxOf(
      `<w:p>${runOf('Lamps &amp; ')}${runOf('chairs')}</w:p><w:p><w:r><w:delText>No</w:delText><w:tab/></w:r>${runOf('2')}</w:p>
      <w:tbl><w:tr><w:tc><w:p>${runOf('Lamp')}</w:p></w:tc><w:tc><w:p>${runOf('40')}</w:p></w:tc></w:tr></w:tbl>`,
    ),
    'Lamps & chairs\n\t2\nLamp\t40\n',
  ],
])('[INT-333] the text of a %s reaches the decision', async (ending, type, bytes, text) => {
  const { relay, brain } = await startInteract(() => ({ ...FINISH, thought: 'Two lamps.' }));
  const { send } = await signedIn(relay);
  const { body } = await send('POST', UPLOAD, formOf(bytes, `list.${ending}`, type));
  expect(body).toMatchObject({ filename: `list.${ending}`, mimeType: type, size: bytes.length });
  const { success: _, ...attachment } = body;
  await send('POST', '/api/agent/interact', { query: 'How many?', sessionId: randomUUID(), attachment });
  expect(brain.inputs[0]?.file?.text.replaceAll(/\n +/g, '\n')).toBe(text);
});

test('[INT-333] a document without text, that is none, or with too much of it is refused', async () => {
  const { send } = await signedIn(await startTestRelay());
  const refused = async (bytes: BlobPart, name: string) => {
    const { status, body } = await send('POST', UPLOAD, formOf(bytes, name, ''));
    return [status, body.message];
  };
  const none = [400, expect.stringContaining('finds no text')];
  expect(await refused(pdfOf(['']), 'scan.pdf')).toEqual(none);
  expect(await refused('%PDF-1.7', 'cut.pdf')).toEqual(none);
  expect(await refused('PK', 'cut.docx')).toEqual(none);
  expect(await refused(docxOf('<w:p>'.repeat(20_000)), 'deep.docx')).toEqual(none);
  const long = await refused(docxOf(`<w:p>${runOf('lamp '.repeat(60_000))}</w:p>`), 'long.docx');
  expect(long).toEqual([413, expect.stringContaining('text of a file')]);
});

test('[INT-325] a client that knows the newer status gets it, and another the older one', async () => {
  const { call } = await startInteract(() => ({ status: 'needs_user_input', userQuestion: 'Which size?' }));
  const newer = await call({ ...PAGE, query: 'Buy it', features: ['awaiting_user'] });
  expect(newer.body.data).toMatchObject({
    status: 'awaiting_user',
    action: 'ask_user()',
    blockerInfo: { type: 'missing_info', userMessage: 'Which size?' },
  });
  expect((await call({ ...PAGE, query: 'Buy it' })).body.status).toBe('needs_user_input');
});

test('[INT-332] a question of a model has its confidence in the blocker alone', async () => {
  const { send } = await startWithModel({ action: 'ask', text: 'Which size?', confidence: 0.8 });
  const { data } = (await send('POST', '/api/agent/interact', { ...PAGE, query: 'Buy it' })).body;
  expect(data).toMatchObject({ userQuestion: 'Which size?', blockerInfo: { confidence: 0.8 } });
  expect(data).not.toHaveProperty('confidence');
});

test('[INT-324] [INT-01] only a chat needs no page, and it never gets an action on one', async () => {
  const { call } = await startInteract(() => CLICK);
  expect((await call({ query: 'Hello' })).status).toBe(400);
  const { body } = await call({ query: 'Hello', taskType: 'chat_only' });
  expect(body.data).toMatchObject({
    action: 'fail()',
    status: 'failed',
    taskType: 'chat_only',
    thought: expect.stringContaining('needs a page'),
  });
});

test('[INT-320] an exported fact reaches the next task of its session alone', async () => {
  const { send, asked } = await startWithModel(
    { action: 'remember', text: 'price', json: '40' },
    { action: 'exportToSession', text: 'price' },
    { action: 'finish', text: 'Noted.' },
    { action: 'finish', text: 'It was 40.' },
    { action: 'finish', text: 'I do not know.' },
  );
  const sessionId = randomUUID();
  const call = { ...PAGE, query: 'Note the price', sessionId, features: ['memory'] };
  const first = (await send('POST', '/api/agent/interact', call)).body.data;
  expect(first).toMatchObject({ action: 'remember("price", 40)', toolAction: { toolType: 'SERVER' } });
  const { taskId } = first;
  const second = await send('POST', '/api/agent/interact', { ...call, taskId });
  expect(second.body.data.toolAction.memoryResult).toMatchObject({
    action: 'export',
    scope: 'session',
    value: 40,
  });
  await send('POST', '/api/agent/interact', { ...call, taskId });
  const { messages } = (await send('GET', `/api/session/${sessionId}/messages`)).body;
  const shown = messages.map(({ actionString, status }: Record<string, string>) => [actionString, status]);
  expect(shown).toContainEqual(['remember("price", 40)', 'success']);
  expect(shown).toContainEqual(['exportToSession("price")', 'success']);

  await send('POST', '/api/agent/interact', { ...PAGE, query: 'What was it?', sessionId });
  expect(asked(4)).toContain('price: 40');
  await send('POST', '/api/agent/interact', { ...PAGE, query: 'What was it?', sessionId: randomUUID() });
  expect(asked(5)).not.toContain('price: 40');
  const { body } = await send('GET', '/api/session?limit=50');
  expect(JSON.stringify(body)).not.toContain('facts');
});

test('[INT-321] [INT-322] a chain is one message with every action, and its failure is shown on it', async () => {
  const { send, asked } = await startWithModel(
    {
      ...{ action: 'setValue', element: '11', text: 'Ada' },
      more: [{ action: 'check', element: '14', text: '' }],
    },
    { action: 'finish', text: 'Done.', confidence: 0.9 },
    { action: 'fail', text: 'The box is gone.' },
  );
  const call = { ...PAGE, query: 'Join as Ada', sessionId: randomUUID(), features: ['chain', 'check'] };
  const { data } = (await send('POST', '/api/agent/interact', call)).body;
  expect(data).toMatchObject({
    action: 'setValue(11, "Ada")',
    actions: [{ action: 'setValue(11, "Ada")' }, { action: 'check(14)', verificationLevel: 'lightweight' }],
    chainMetadata: { totalActions: 2, safeToChain: true },
  });
  const failed = {
    chainPartialState: { executedActions: ['setValue(11, "Ada")'], totalActionsInChain: 2 },
    chainError: {
      action: 'check(14)',
      message: 'Gone',
      code: 'ELEMENT_NOT_FOUND',
      elementId: 14,
      failedIndex: 1,
    },
  };
  const next = await send('POST', '/api/agent/interact', { ...call, taskId: data.taskId, ...failed });
  expect(asked(2)).toContain('LAST ACTION check(14): failed');
  expect(next.body.data.action).toBe('fail()');
  const { messages } = (await send('GET', `/api/session/${call.sessionId}/messages`)).body;
  expect(messages).toContainEqual(
    expect.objectContaining({
      actionString: 'setValue(11, "Ada"); check(14)',
      status: 'failure',
      error: { code: 'ELEMENT_NOT_FOUND', message: 'Gone' },
    }),
  );
});
