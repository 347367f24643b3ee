import { UsageError } from '../command.ts';
import { refusePassword } from '../secret-arguments.ts';

/** Addresses shared by several relays. */
export interface SharedLedger {
  readonly database: string;
  readonly bus: string;
  readonly nodeUrl?: string;
}

interface SharedValues {
  readonly database?: string | undefined;
  readonly bus?: string | undefined;
  readonly 'node-url'?: string | undefined;
}

/** Undefined for a single relay. Errors never quote the values, which may contain passwords. */
export function readShared(
  values: SharedValues,
  env: Readonly<Record<string, string | undefined>>,
): SharedLedger | undefined {
  refusePassword('--database', values.database, { instead: 'DRAWBRIDGE_DATABASE' });
  refusePassword('--bus', values.bus, { instead: 'DRAWBRIDGE_BUS', userIsSecret: true });
  const database = values.database ?? (env['DRAWBRIDGE_DATABASE'] || undefined);
  const bus = values.bus ?? (env['DRAWBRIDGE_BUS'] || undefined);
  const nodeUrl = values['node-url'];
  if (database === undefined && bus === undefined) {
    if (nodeUrl !== undefined) throw new UsageError('--node-url is for relays that share a --database.');
    return undefined;
  }
  if (database === undefined || bus === undefined) {
    throw new UsageError('--database needs --bus, and --bus needs --database. A single relay needs neither.');
  }
  if (!/^postgres(?:ql)?:\/\//.test(database)) {
    throw new UsageError('--database is an address such as postgres://user@host:5432/name.');
  }
  if (!/^(?:nats|tls):\/\//.test(bus)) {
    throw new UsageError('--bus is an address such as nats://host:4222, or tls://host:4222.');
  }
  if (nodeUrl !== undefined && !/^https?:\/\/[^/]+\/?$/.test(nodeUrl)) {
    throw new UsageError('--node-url is an address such as https://host:7717, without a path.');
  }
  return { database, bus, ...(nodeUrl !== undefined && { nodeUrl: nodeUrl.replace(/\/$/, '') }) };
}
