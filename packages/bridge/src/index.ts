export type { Clock } from '@drawbridge/base';
export type {
  Bridge,
  BridgeEvent,
  CallOptions,
  CallRequest,
  Connection,
  Peer,
  PendingCall,
  RuntimeView,
} from './bridge.ts';
export { createBridge } from './create-bridge.ts';
export { route } from './dispatch.ts';
export { asBridgeError, errorItem } from './error-item.ts';
export { type BridgeLimits, type BridgeOptions, DEFAULT_LIMITS } from './options.ts';
export {
  type AgentSide,
  createRemoteBridge,
  type RemoteBridge,
  type RemoteOptions,
} from './remote/remote-bridge.ts';
export {
  actionCallOf,
  answerOf,
  type CallRoute,
  type FunctionCall,
  type FunctionCallOutput,
  functionCallOf,
  functionCallOutputOf,
} from './responses/function-call.ts';
export { createFunctionNames, type FunctionNames } from './responses/function-names.ts';
export { type FunctionTool, functionToolsOf, type OfferedAction } from './responses/function-tools.ts';
export {
  createToolPolicy,
  type ToolPolicy,
  type ToolPolicyOptions,
  type ToolVerdict,
} from './site-map.ts';
