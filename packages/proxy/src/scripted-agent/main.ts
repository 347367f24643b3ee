import { appendFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  type McpServer,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { configOf, createAgentSessions } from './agent-sessions.ts';
import { exactNow, play, wordsOf } from './script.ts';

const { SCRIPTED_AGENT_LOG: log, SCRIPTED_AGENT_HOME: home, SCRIPTED_AGENT_FAULT: fault } = process.env;
const { SCRIPTED_AGENT_SCRIPT: script } = process.env;
const sessions = createAgentSessions(home);
let servers: readonly McpServer[] = [];
const isLasting = home !== undefined;
const settings = (id: string) => (fault === 'bare' ? {} : { configOptions: configOf(sessions.get(id)) });

agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, async () => {
    if (fault === 'silent') await new Promise(() => {});
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'scripted', version: '1.0.0' },
      ...(fault === 'signed_out' && { authMethods: [{ id: 'login', name: 'Log in' }] }),
      agentCapabilities: {
        loadSession: isLasting,
        mcpCapabilities: { http: true },
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: {
          close: {},
          ...(isLasting && { list: {}, ...(fault !== 'load' && { resume: {} }) }),
        },
      },
    };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (fault === 'signed_out') throw RequestError.authRequired();
    const sessionId = sessions.create(params.cwd);
    servers = params.mcpServers;
    return { sessionId, ...settings(sessionId) };
  })
  .onRequest(methods.agent.session.resume, ({ params: { sessionId, cwd, mcpServers = [] } }) => {
    if (fault === 'load') throw RequestError.methodNotFound(methods.agent.session.resume);
    sessions.reopen(sessionId, cwd);
    servers = mcpServers;
    return settings(sessionId);
  })
  .onRequest(methods.agent.session.load, async ({ params: { sessionId, cwd, mcpServers }, client }) => {
    servers = mcpServers;
    for (const update of sessions.reopen(sessionId, cwd)) {
      await client.notify(methods.client.session.update, { sessionId, update });
    }
    return settings(sessionId);
  })
  .onRequest(methods.agent.session.list, () => ({ sessions: sessions.list() }))
  .onRequest(methods.agent.session.close, ({ params }) => {
    sessions.close(params.sessionId);
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (params.configId === 'model') session.model = String(params.value);
    if (params.configId === 'mode') session.mode = String(params.value);
    return { configOptions: configOf(session) };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    for (const turn of sessions.get(params.sessionId).turns) turn.abort();
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const session = sessions.get(sessionId);
    const line = { pid: process.pid, session: sessionId, text: wordsOf(prompt), at: exactNow() };
    if (log !== undefined) appendFileSync(log, `${JSON.stringify(line)}\n`);
    for (const content of prompt) sessions.write(sessionId, { sessionUpdate: 'user_message_chunk', content });
    const turn = new AbortController();
    session.turns.add(turn);
    const update = async (update: SessionUpdate): Promise<void> => {
      sessions.write(sessionId, update);
      await client.notify(methods.client.session.update, { sessionId, update });
    };
    const run = () =>
      play(
        { client, sessionId, cwd: session.cwd, blocks: prompt, servers, signal: turn.signal, update },
        script,
      );
    // A fixed script plays one turn at a time: two would act in one tab at once.
    const played = script === undefined ? run() : session.latest.then(run);
    session.latest = played.catch(() => undefined).finally(() => session.turns.delete(turn));
    return { stopReason: await played };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
  .closed.finally(() => process.exit());
