export type { Shop } from '@drawbridge/demo-shop';
export { HARMS, type Harm, type Injection, injections } from '@drawbridge/demo-shop/injections';
export {
  type LaunchedChromium,
  type LaunchOptions,
  launchChromium,
  type OpenPage,
  openPage,
} from './browser.ts';
export { CHROMIUM_FLAGS, chromiumPath, pageChromiumPath, SHELL_FLAGS } from './chromium-binary.ts';
export { isDeep, sampled } from './depth.ts';
export { startShop } from './editor-corner/start-shop.ts';
export { type FailingDisk, mountFailingDisk } from './failing-disk.ts';
export { createFakeClock, type FakeClock, type TimerHandle } from './fake-clock.ts';
export type { Decision, DirectionFaults, Span } from './fault-proxy/fault-plan.ts';
export type { Direction } from './fault-proxy/proxied-connection.ts';
export {
  type DirectionDecision,
  type FaultProxy,
  type FaultProxyOptions,
  type FaultProxyStats,
  type Faults,
  startFaultProxy,
} from './fault-proxy.ts';
export { createGate, type Gate } from './gate.ts';
export { listenOnLoopback } from './loopback.ts';
export { type Nats, startNats } from './nats.ts';
export { pageFaults } from './page-faults.ts';
export { askInPage, type PageAnswer, proofInPage } from './page-proof.ts';
export { DRIFTS, PANELS, type PanelName } from './panels/drifts.ts';
export { type PanelLog, type PanelTwins, startPanelTwins, type TwinOptions } from './panels/server.ts';
export { type PostgresOptions, startPostgres, TestPostgres } from './postgres.ts';
export { type RecordTable, type RunRecord, recordRun } from './run-record.ts';
export type { JsonObject } from './scripted-model/json-object.ts';
export type { ModelRequest, Outcome, Provider } from './scripted-model/model-request.ts';
export type { Reply, ReplyFault, Script, Step, ToolCall, Usage } from './scripted-model/script.ts';
export { type ScriptedModel, startScriptedModel } from './scripted-model.ts';
export { createSeededRandom, type SeededRandom } from './seeded-random.ts';
export { type Sites, startSites } from './sites/server.ts';
export { CAN_MOUNT, mountSmallDisk, type SmallDisk } from './small-disk.ts';
export {
  createSocketPair,
  type End,
  type PairedSocket,
  type ReadyState,
  SOCKET_CLOSED,
  SOCKET_CLOSING,
  SOCKET_OPEN,
  type SocketPair,
} from './socket-pair.ts';
