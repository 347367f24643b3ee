import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { connectWebSocket, type LinkState } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type { RuntimeReady } from '@drawbridge/protocol';
import { allowInspection } from '@drawbridge/runtime';
import {
  type Connect,
  openEvidenceFolder,
  openGrantFile,
  type Surfaces,
  serveSurfaces,
} from '@drawbridge/runtime/node';
import { trustOwnCertificate } from '../live/own-certificate.ts';
import type { RunningRelay } from '../relay/local-relay.ts';
import type { Lent, Loan } from './lent.ts';
import { openRelayDevice } from './relay-device.ts';

/** Wall-clock limit on a machine that also starts a browser. */
const EXPRESSION_MS = 2_000;

/** Lends a browser through a running relay: each tab is a runtime there, and prompts go to its people. */
export async function joinRelay(relay: RunningRelay, loan: Loan): Promise<Lent> {
  const { browser, maps, data, log, report, inspectKeys, offerToPage } = loan;
  const label = `Browser on ${hostname()}`;
  const { device_id, token } = await openRelayDevice(relay, data, label);
  await trustOwnCertificate(data);
  const url = `${relay.url.replace(/^http/, 'ws')}/ws/runtime`;
  report({ event: 'joined', url: relay.url, device_id, label });

  let surfaces: Surfaces | undefined;
  const announced = (ready: RuntimeReady): void => {
    const { runtime_id } = ready;
    const runtime = surfaces?.runtimes().find(({ runtimeId }) => runtimeId === runtime_id);
    log.runtime({ runtime_id, ready, liveness: 'awake' }, runtime?.map());
  };
  const { over, end, hear } = watchRelay(loan);
  const connect: Connect = (receive, announce) => {
    const link = connectWebSocket({ url, token });
    let runtime_id = '';
    link.onItem((item) => {
      log.traffic('in', item);
      receive(item);
    });
    link.onState((state) => {
      if (state.kind === 'open' && !state.resumed) announce();
      hear(state);
    });
    return {
      send(item) {
        log.traffic('out', item);
        if (item.type === 'runtime_ready') {
          runtime_id = item.runtime_id;
          announced(item);
        }
        link.send(item);
      },
      close(reason = 'it was given back') {
        log.gone(runtime_id, reason);
        link.close();
      },
    };
  };

  const evaluator = createWorkerEvaluator({ maxMs: EXPRESSION_MS });
  const by = 'whoever started drawbridge';
  // A separate file: the relay's browser rewrites `grants.json` and would restore grants revoked here.
  const grants = openGrantFile(join(data.path, 'browser-grants.json'), { now: Date.now, newId: randomUUID });
  if (inspectKeys !== undefined) allowInspection(grants, inspectKeys, by);
  surfaces = serveSurfaces({
    source: browser,
    connect,
    maps,
    grants,
    evaluator,
    by,
    offerToPage,
    storeEvidence: openEvidenceFolder(data.evidence),
  });
  const unwatch = browser.onSurface(({ kind }) => {
    if (kind === 'removed' && !browser.hasTabs()) end(undefined);
  });
  return {
    over,
    async close() {
      unwatch();
      await surfaces?.close();
      await evaluator.close();
    },
  };
}

/** Each tab has its own connection; changes of the relay are reported once for all. */
function watchRelay({ report }: Loan) {
  const { promise: over, resolve: end } = Promise.withResolvers<string | undefined>();
  let isAway = false;
  const hear = (state: LinkState): void => {
    if (state.kind === 'closed' && state.reason !== 'closed_here') end(LET_GO);
    const away = state.kind === 'waiting' ? true : state.kind === 'open' ? false : isAway;
    if (away !== isAway) report({ event: 'relay', state: away ? 'away' : 'back' });
    isAway = away;
  };
  return { over, end, hear };
}

const LET_GO = 'This browser’s device was revoked in the relay. Start it again to pair it again.';
