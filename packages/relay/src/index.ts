export type { CoreClock, CoreTimes, Identity, RelayCore, Role } from './core/ports.ts';
export type { Device } from './devices/device.ts';
export { DeviceError } from './devices/device-error.ts';
export { createDevices, type Devices } from './devices/devices.ts';
export { type OwnerFile, readOwnerFile } from './devices/owner-file.ts';
export * from './server/index.ts';
