import { match, ok, strictEqual } from 'node:assert';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGate, type ModelRequest, type Reply, startScriptedModel } from '@drawbridge/testbed';
import { openChat } from './chat-client.ts';
import { homeIn, isConnected, isListening, startProcesses } from './drawbridge-processes.ts';
import { AGENTS, commandOf, namesOf } from './steered-agents.ts';

/** A real agent that a remote person launches, instructs, permits, stops, changes and closes. */
const [name = 'opencode'] = process.argv.slice(2);
const agent = AGENTS[name];
if (agent === undefined) throw new Error(`node conformance/steer.ts ${Object.keys(AGENTS).join('|')}`);

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-steer-')));
const workspace = join(folder, 'workspace');
const proof = join(workspace, 'proof.txt');
mkdirSync(workspace);
const never = createGate('shut');
const models: string[] = [];

const ANSWERED = /"role":"tool"|tool_result|function_call_output/g;
const placeOf = (text: string, words: string): number => text.lastIndexOf(words);

/**
 * Only the last instruction counts: agents add their own text around it. They also ask for titles, without
 * tools.
 */
function think({ body, model: asked }: ModelRequest): Reply {
  if (!JSON.stringify(body['tools'] ?? []).includes(agent?.tool ?? '')) return { text: 'A talk' };
  models.push(asked);
  const told = JSON.stringify(body['messages'] ?? body['input']);
  const places = {
    name: placeOf(told, 'name?'),
    proof: placeOf(told, 'Leave a proof'),
    slow: placeOf(told, 'Count slowly'),
  };
  const later = [placeOf(told, 'And now?'), placeOf(told, 'still there?')];
  const latest = Math.max(...Object.values(places), ...later);
  const answered = [...told.matchAll(ANSWERED)].at(-1)?.index ?? -1;
  if (latest === places.proof && answered > latest) return { text: 'The command has run.' };
  if (latest === places.proof && agent) return { toolCalls: [agent.call('echo ran > proof.txt')] };
  if (latest === places.slow) return { text: 'one two three four', hold: { gate: never, afterEvents: 2 } };
  return { text: `My name is ${name}.` };
}

const model = await startScriptedModel(think);
const place = { folder, workspace, baseUrl: model.baseUrl };
const own = agent.prepare(place);
const { start, endLast, close } = startProcesses(folder, { ...homeIn(folder), ...own });
const command = commandOf(agent, place);

try {
  const { url, token } = await start(['up', '--no-browser', '--port', '0'], isListening);
  const served = [
    '--agent',
    `${name}=${JSON.stringify(command)}`,
    '--workspace',
    workspace,
    '--label',
    'studio',
    ...namesOf(own),
  ];
  const serve = () => start(['proxy', ...served], isConnected);
  await serve();
  const person = await openChat(String(url), String(token));

  const launch = async (request_id: string): Promise<string> => {
    person.send({ type: 'launch_session', request_id, agent_type: name, workspace_path: workspace });
    const started = person.next('session_launch_ack', (frame) => frame.request_id === request_id);
    const failed = person.next('session_launch_failed', (frame) => frame.request_id === request_id);
    const ended = await Promise.race([started, failed]);
    if (ended.type === 'session_launch_ack') return ended.session_id;
    throw new Error(`${ended.error_code}: ${ended.reason}`);
  };
  const session_id = await launch('launch').catch((error: unknown) => {
    // The first start of an installation fills its folders, which takes too long on a busy machine.
    if (!String(error).includes('launch_timeout')) throw error;
    console.log(`${name}: did not start within 30 s; asked again`);
    return launch('again');
  });
  const config = await person.next('agent_config');
  const [[first, firstAsked], [second, secondAsked]] = agent.models;
  strictEqual(config.model_id, first);
  console.log(`${name}: launched from a chat client; models ${config.available_models?.join(', ')}`);

  let sends = 0;
  const send = async (content: string): Promise<void> => {
    sends += 1;
    const client_message_id = `message_${sends}`;
    const created_at = new Date().toISOString();
    person.send({ type: 'send_message', session_id, client_message_id, content, created_at });
    const isIt = (frame: { readonly client_message_id: string }) =>
      frame.client_message_id === client_message_id;
    const delivered = person.next('message_delivered', isIt);
    const failed = person.next('message_failed', isIt);
    const ended = await Promise.race([delivered, failed]);
    if (ended.type === 'message_failed') throw new Error(`${ended.error.code}: ${ended.error.message}`);
  };
  const said = (words: string) =>
    person.next('message_event', ({ message }) => message.content.includes(words));
  const idle = () => person.next('session_status', ({ activity }) => activity?.kind === 'idle');

  await send('What is your name?');
  strictEqual((await said('My name is')).message.role, 'assistant');
  await idle();
  console.log(`${name}: delivered, and answered`);

  await send('Leave a proof');
  const prompt = await person.next('permission_prompt');
  match(prompt.prompt_text, /echo ran > proof\.txt/);
  ok(!existsSync(proof), 'The tool ran before it was permitted.');
  const { prompt_id } = prompt;
  person.send({ type: 'permission_response', request_id: 'permit', session_id, prompt_id, choice_id: 'yes' });
  strictEqual((await person.next('agent_control_result')).result, 'ok');
  await said('The command has run.');
  await idle();
  strictEqual(readFileSync(proof, 'utf8'), 'ran\n');
  const details = person.frames.flatMap((frame) =>
    frame.type === 'message_event' ? [frame.message.metadata?.['details']] : [],
  );
  ok(
    JSON.stringify(details).includes('"status":"completed"'),
    'No completed tool call is in the transcript.',
  );
  console.log(`${name}: a permission granted from afar, and the tool really run`);

  await send('Count slowly');
  await person.next('session_status', ({ activity }) => activity?.kind === 'generating');
  person.send({ type: 'agent_interrupt', request_id: 'stop', session_id });
  const stopped = await person.next('agent_control_result', ({ request_id }) => request_id === 'stop');
  strictEqual(stopped.result, 'ok', JSON.stringify(stopped));
  await idle();
  console.log(`${name}: interrupted`);

  person.send({ type: 'agent_set_model', request_id: 'model', session_id, model_id: second });
  const changed = await person.next('agent_control_result', ({ request_id }) => request_id === 'model');
  strictEqual(changed.result, 'ok', JSON.stringify(changed));
  await person.next('agent_config', ({ model_id }) => model_id === second);
  await send('And now?');
  await said('My name is');
  await idle();
  match(models[0] ?? '', new RegExp(firstAsked));
  ok(
    models.some((asked) => asked.includes(secondAsked)),
    `Asked were only ${[...new Set(models)].join(', ')}.`,
  );
  console.log(`${name}: another model chosen from afar, and used`);

  await endLast('SIGKILL');
  await person.next('session_down');
  await serve();
  await send('Are you still there?');
  await said('My name is');
  await idle();
  console.log(`${name}: the proxy killed and started again, and the same conversation gone on`);

  person.send({ type: 'close_session', request_id: 'close', session_id });
  strictEqual((await person.next('session_closed')).reason, 'user_requested');
  console.log(`${name}: closed`);
  person.close();
} finally {
  never.open();
  await close();
  await model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
