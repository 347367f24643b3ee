import type { Audit, DeleteFile, PutDevice, PutFile, PutSetting, RevokeDevice } from '../writes.ts';
import { sessionNumber } from './event-writes.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';
import { text } from './row.ts';
import type { Sql } from './sql.ts';

export function putDevice({ one, run }: Sql, { device }: PutDevice): null {
  const holder = one(QUERIES.deviceByToken, device.token_hash);
  if (holder !== undefined && text(holder, 'device_id') !== device.device_id) {
    throw new Refused({ reason: 'token_taken' });
  }
  run(
    `INSERT OR REPLACE INTO devices
       (device_id, role, label, scopes, token_hash, created_at, last_seen_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    device.device_id,
    device.role,
    device.label,
    JSON.stringify(device.scopes),
    device.token_hash,
    device.created_at,
    device.last_seen_at,
    device.revoked_at,
  );
  return null;
}

/** The first revocation's time stays. */
export function revokeDevice({ run }: Sql, { device_id, at }: RevokeDevice): null {
  const found = run(
    'UPDATE devices SET revoked_at = coalesce(revoked_at, ?) WHERE device_id = ?',
    at,
    device_id,
  );
  if (found === 0) throw new Refused({ reason: 'device_unknown' });
  return null;
}

export function putFile(sql: Sql, { file }: PutFile): null {
  if (sql.one(QUERIES.file, file.file_id) !== undefined) throw new Refused({ reason: 'file_exists' });
  sql.run(
    `INSERT INTO files (file_id, session, device_id, name, media_type, bytes, sha256, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    file.file_id,
    file.session_id === null ? null : sessionNumber(sql, file.session_id),
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
