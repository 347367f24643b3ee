import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { counted } from '../map/paint.ts';
import type { RunningRelay } from '../relay/local-relay.ts';
import { isDrawbridge } from '../relay/start-problem.ts';
import { bad, type Finding, note, ok } from './finding.ts';

/** Whether a relay could listen where none answers. */
export async function portCheck(port: number): Promise<Finding> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return note('relay', `No relay runs. Port ${port} is free for it.`, 'drawbridge up');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const by = isTaken && (await isDrawbridge(port)) ? 'the relay of another folder' : 'another program';
    const what = isTaken
      ? `No relay runs with this folder, and port ${port} is in use by ${by}.`
      : `Port ${port} cannot be listened on: ${error instanceof Error ? error.message : error}`;
    return bad(
      'relay',
      what,
      'drawbridge up --port 0 takes any that is free; --data names the folder of another relay.',
    );
  } finally {
    server.close();
  }
}

const MOST_SKEW_MS = 5_000;

/** State and resources of a running relay. */
export async function relayChecks(relay: RunningRelay, now: () => number): Promise<readonly Finding[]> {
  const checks = [clockCheck(relay, now), modelCheck(relay), tabsCheck(relay), proxiesCheck(relay)];
  return [...(await readyChecks(relay)), ...(await Promise.all(checks))];
}

interface Readiness {
  readonly degraded: readonly { readonly message: string }[];
}

const trustReadiness = (body: string): Readiness => JSON.parse(body);

async function readyChecks(relay: RunningRelay): Promise<readonly Finding[]> {
  const fix = 'Look at the last lines of the relay’s log.';
  try {
    const { degraded } = trustReadiness(await text(await relay.open('/readyz')));
    const takesWork = ok('relay', `The relay runs at ${relay.url}, and takes work`);
    return [takesWork, ...degraded.map(({ message }) => note('relay', message, fix))];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [bad('relay', `The relay runs at ${relay.url}, but takes no work: ${message}`, fix)];
  }
}

/** Invitations, grants and timers expire by the clock, so both machines must agree. */
async function clockCheck(relay: RunningRelay, now: () => number): Promise<Finding> {
  const response = await relay.open('/healthz');
  response.resume();
  const skew = Math.abs(Date.parse(response.headers.date ?? '') - now());
  // The header has whole seconds.
  if (Number.isNaN(skew) || skew < MOST_SKEW_MS) return ok('clock', 'The relay’s clock agrees with this one');
  const fix = 'Let the system set the time (NTP) on both machines.';
  return bad('clock', `The relay's clock is ${Math.round(skew / 1000)} s off.`, fix);
}

async function modelCheck(relay: RunningRelay): Promise<Finding> {
  const { source, provider, model, problem } = await relay.call('GET /api/settings/model');
  const choose =
    'Choose one in the web app, Settings, or start the relay with a key such as ANTHROPIC_API_KEY.';
  if (problem !== undefined) return bad('model', problem, choose);
  if (source === 'rules')
    return note('model', 'No model decides: tasks follow plain requests by rules.', choose);
  return ok('model', `Tasks are decided by ${provider} ${model}`);
}

async function tabsCheck(relay: RunningRelay): Promise<Finding> {
  const { runtimes } = await relay.call('GET /api/runtimes');
  const fix =
    'drawbridge up starts a browser, drawbridge browser another, and the extension lends your own tabs.';
  return runtimes.length > 0
    ? ok('tabs', `${counted(runtimes.length, 'tab')} lent to agents`)
    : note('tabs', 'No tab is lent to agents.', fix);
}

/** Counted by sockets: pairing may be days ago. */
async function proxiesCheck(relay: RunningRelay): Promise<Finding> {
  const figures = await text(await relay.open('/metrics'));
  const lines = figures.split('\n').filter((line) => /^\w+_connections\{.*role="proxy"/.test(line));
  const open = lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const why = 'drawbridge proxy doctor says which coding agents are found here, and why others are not.';
  return open > 0
    ? ok('agents', `Coding agents of ${counted(open, 'machine')} are steered`)
    : note('agents', "No machine's coding agents are steered.", why);
}
