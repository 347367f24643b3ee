export type { Identity, Role } from './core/ports.ts';
export {
  createDevices,
  type Device,
  DeviceError,
  type Devices,
  type OwnerFile,
  readOwnerFile,
} from './devices/index.ts';
export * from './ledger/index.ts';
export * from './server/index.ts';
