export { type AcpAdapterOptions, createAcpAdapter, findProgram } from './acp/acp-adapter.ts';
export { type AcpProfile, customProfile, findProfile, profileNames } from './acp/profiles.ts';
export * from './adapter.ts';
export { createPanelAdapter, type PanelAdapterOptions } from './cdp/panel-adapter.ts';
export { type AgentRegister, createAgentRegister, endOrphans } from './orphans.ts';
export { AgentProxy, type ProxyOptions, type SeenSession } from './proxy.ts';
export type { ProxyEvent } from './proxy-event.ts';
export { openStateFile, type StateFile } from './state-file.ts';
export { openWorkspaces, type Workspaces } from './workspaces.ts';
