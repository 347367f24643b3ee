export { cookieName, tokenFromCookie } from './cookie.ts';
export type { Device, Hand } from './device.ts';
export { DeviceError, type DeviceErrorCode } from './device-error.ts';
export { createDevices, type Devices, type DevicesOptions, type MintOrder } from './devices.ts';
export { type DevicesAppOptions, devicesApp, type Shown } from './devices-app.ts';
export {
  addressKey,
  createFailureLimiter,
  FAILURES_PER_MINUTE,
  type FailureLimiter,
} from './failure-limiter.ts';
export type { Invitation } from './invitations.ts';
export { type OwnerFile, openOwnerFile, readOwnerFile } from './owner-file.ts';
export type { PairingCode } from './pairing-codes.ts';
export type { Key, Minted } from './register.ts';
