import { deviceOf } from '../rows/record-rows.ts';
import { text } from '../rows/row.ts';
import type {
  Audit,
  DeleteFile,
  PutDevice,
  PutFile,
  PutSetting,
  RevokeDevice,
  UpdateDevice,
} from '../writes.ts';
import type { Writer } from './chains.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';
import type { Sql } from './sql.ts';

export function putDevice({ one, run }: Sql, { device }: PutDevice): null {
  const holder = one(QUERIES.deviceByToken, device.token_hash);
  if (holder !== undefined && text(holder, 'device_id') !== device.device_id) {
    throw new Refused({ reason: 'token_taken' });
  }
  run(
    `INSERT OR REPLACE INTO devices
       (device_id, roles, label, scopes, token_hash, created_at, last_seen_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    device.device_id,
    JSON.stringify(device.roles),
    device.label,
    JSON.stringify(device.scopes),
    device.token_hash,
    device.created_at,
    device.last_seen_at,
    device.revoked_at,
  );
  return null;
}

export function updateDevice({ run }: Sql, { device_id, label, last_seen_at }: UpdateDevice): null {
  const found = run(
    `UPDATE devices SET label = coalesce(?, label), last_seen_at = coalesce(?, last_seen_at)
     WHERE device_id = ?`,
    label ?? null,
    last_seen_at ?? null,
    device_id,
  );
  if (found === 0) throw new Refused({ reason: 'device_unknown' });
  return null;
}

/** The time of the first revocation stays. */
export function revokeDevice({ all, run }: Sql, { device_id, at, unless_last }: RevokeDevice): null {
  if (unless_last !== undefined) {
    const holders = all(QUERIES.devices)
      .map(deviceOf)
      .filter(({ roles, revoked_at }) => revoked_at === null && roles.includes(unless_last));
    if (holders.length === 1 && holders[0]?.device_id === device_id) {
      throw new Refused({ reason: 'device_last' });
    }
  }
  const found = run(
    'UPDATE devices SET revoked_at = coalesce(revoked_at, ?) WHERE device_id = ?',
    at,
    device_id,
  );
  if (found === 0) throw new Refused({ reason: 'device_unknown' });
  return null;
}

export function putFile(sql: Writer, { file }: PutFile): null {
  if (sql.one(QUERIES.file, file.file_id) !== undefined) throw new Refused({ reason: 'file_exists' });
  sql.run(
    `INSERT INTO files (file_id, session, device_id, name, media_type, bytes, sha256, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    file.file_id,
    file.session_id === null ? null : sql.chains.of(file.session_id).session,
    file.device_id,
    file.name,
    file.media_type,
    file.bytes,
    file.sha256,
    file.created_at,
  );
  return null;
}

export function deleteFile({ run }: Sql, { file_id }: DeleteFile): null {
  run('DELETE FROM files WHERE file_id = ?', file_id);
  return null;
}

export function audit({ run }: Sql, { entry }: Audit): null {
  run(
    'INSERT INTO audit (at, device_id, action, subject, detail) VALUES (?, ?, ?, ?, ?)',
    entry.at,
    entry.device_id,
    entry.action,
    entry.subject,
    JSON.stringify(entry.detail),
  );
  return null;
}

export function putSetting({ run }: Sql, { key, value }: PutSetting): null {
  if (value === null) run('DELETE FROM settings WHERE key = ?', key);
  else run('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', key, JSON.stringify(value));
  return null;
}
