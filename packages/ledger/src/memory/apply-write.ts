import type { LaunchRecord } from '../records.ts';
import { Refused } from '../sqlite/refused.ts';
import type {
  ForgetPrompts,
  MovePrompt,
  OpenLaunch,
  OpenPrompt,
  PutDevice,
  PutFile,
  PutTabSession,
  PutTask,
  RevokeDevice,
  SettleLaunch,
  TellLaunch,
  UpdateDevice,
  Write,
} from '../writes.ts';
import {
  acceptMessage,
  appendEvent,
  createSession,
  dropSession,
  editMessage,
  forgetMessage,
  forwardMessage,
  pruneEvents,
  sessionRow,
  settleMessage,
  updateSession,
} from './session-writes.ts';
import { pairKey, type Tables } from './tables.ts';

/** Throws `Refused` when the ledger's state does not allow the write. */
export function applyWrite(tables: Tables, write: Write): object | null {
  switch (write.do) {
    case 'create_session':
      return createSession(tables, write);
    case 'update_session':
      return updateSession(tables, write);
    case 'append_event':
      return appendEvent(tables, write);
    case 'accept_message':
      return acceptMessage(tables, write);
    case 'forward_message':
      return forwardMessage(tables, write);
    case 'edit_message':
      return editMessage(tables, write);
    case 'settle_message':
      return settleMessage(tables, write);
    case 'forget_message':
      return forgetMessage(tables, write);
    case 'open_prompt':
      return openPrompt(tables, write);
    case 'move_prompt':
      return movePrompt(tables, write);
    case 'forget_prompts':
      return forgetPrompts(tables, write);
    case 'open_launch':
      return openLaunch(tables, write);
    case 'settle_launch':
      return settleLaunch(tables, write);
    case 'tell_launch':
      return reportLaunch(tables, write);
    case 'put_device':
      return putDevice(tables, write);
    case 'update_device':
      return updateDevice(tables, write);
    case 'revoke_device':
      return revokeDevice(tables, write);
    case 'put_file':
      return putFile(tables, write);
    case 'delete_file':
      tables.files.drop(write.file_id);
      return null;
    case 'audit': {
      const number = (tables.audit.all().at(-1)?.number ?? 0) + 1;
      tables.audit.put(String(number), { number, ...write.entry });
      return null;
    }
    case 'put_setting':
      if (write.value === null) tables.settings.drop(write.key);
      else tables.settings.put(write.key, { key: write.key, value: write.value });
      return null;
    case 'put_task':
      return putTask(tables, write);
    case 'put_tab_session':
      return putTabSession(tables, write);
    case 'prune_events':
      return pruneEvents(tables, write);
    case 'drop_session':
      return dropSession(tables, write);
  }
}

const OPEN_STATES: readonly string[] = ['open', 'answering'];

/** CHT-223: a settled prompt_id that comes again is a new prompt; nothing reads the earlier one. */
function openPrompt(tables: Tables, write: OpenPrompt): null {
  const { session_id, prompt_id, body, at, expires_at } = write;
  sessionRow(tables, session_id);
  const key = pairKey(session_id, prompt_id);
  const prompt = tables.prompts.get(key);
  if (prompt && OPEN_STATES.includes(prompt.state)) throw new Refused({ reason: 'prompt_open', prompt });
  if (prompt) tables.prompts.drop(key);
  const life = { state: 'open', opened_at: at, expires_at, settled_at: null, answer: null } as const;
  tables.prompts.put(key, { session_id, prompt_id, body, ...life });
  return null;
}

function movePrompt(tables: Tables, write: MovePrompt): null {
  const { session_id, prompt_id, from, to, at } = write;
  const key = pairKey(session_id, prompt_id);
  const prompt = tables.prompts.get(key);
  if (prompt === undefined) {
    sessionRow(tables, session_id);
    throw new Refused({ reason: 'prompt_unknown' });
  }
  if (!from.includes(prompt.state)) throw new Refused({ reason: 'prompt_changed', prompt });
  const { answer = prompt.answer } = write;
  tables.prompts.put(key, { ...prompt, state: to, settled_at: OPEN_STATES.includes(to) ? null : at, answer });
  return null;
}

function forgetPrompts(tables: Tables, { session_id, settled_before }: ForgetPrompts): null {
  sessionRow(tables, session_id);
  for (const { prompt_id, settled_at, ...prompt } of tables.prompts.all()) {
    if (prompt.session_id !== session_id || settled_at === null || settled_at >= settled_before) continue;
    tables.prompts.drop(pairKey(session_id, prompt_id));
  }
  return null;
}

function findLaunch({ launches }: Tables, fits: (launch: LaunchRecord) => boolean) {
  for (const [index, launch] of launches.all().entries())
    if (fits(launch)) return { key: String(index), launch };
  return undefined;
}

function openLaunch(tables: Tables, write: OpenLaunch): null {
  const { request_id, device_id, client_id, proxy_device_id, body, at, timeout_at } = write;
  const pending = findLaunch(tables, (each) => each.request_id === request_id && each.state === 'pending');
  if (pending) throw new Refused({ reason: 'launch_pending', launch: pending.launch });
  const life = { state: 'pending', settled_at: null, outcome: null, told: false } as const;
  const ids = { request_id, device_id, client_id, proxy_device_id };
  const key = String(tables.launches.all().length);
  tables.launches.put(key, { ...ids, body, launched_at: at, timeout_at, ...life });
  return null;
}

function settleLaunch(tables: Tables, { request_id, state, outcome, at }: SettleLaunch): null {
  const found = findLaunch(tables, (each) => each.request_id === request_id && each.state === 'pending');
  if (found === undefined) throw new Refused({ reason: 'launch_unknown' });
  tables.launches.put(found.key, { ...found.launch, state, settled_at: at, outcome });
  return null;
}

function reportLaunch(tables: Tables, { device_id, request_id }: TellLaunch): null {
  const untold = (each: LaunchRecord) =>
    each.request_id === request_id && each.device_id === device_id && each.state !== 'pending' && !each.told;
  let found = findLaunch(tables, untold);
  if (found === undefined) throw new Refused({ reason: 'launch_unknown' });
  for (; found !== undefined; found = findLaunch(tables, untold)) {
    tables.launches.put(found.key, { ...found.launch, told: true });
  }
  return null;
}

function putDevice({ devices }: Tables, { device }: PutDevice): null {
  const holder = devices.all().find(({ token_hash }) => token_hash === device.token_hash);
  if (holder !== undefined && holder.device_id !== device.device_id)
    throw new Refused({ reason: 'token_taken' });
  devices.put(device.device_id, device);
  return null;
}

function updateDevice({ devices }: Tables, { device_id, ...change }: UpdateDevice): null {
  const device = devices.get(device_id);
  if (device === undefined) throw new Refused({ reason: 'device_unknown' });
  const { label = device.label, last_seen_at = device.last_seen_at } = change;
  devices.put(device_id, { ...device, label, last_seen_at });
  return null;
}

function revokeDevice({ devices }: Tables, { device_id, at, unless_last }: RevokeDevice): null {
  const device = devices.get(device_id);
  if (device === undefined) throw new Refused({ reason: 'device_unknown' });
  if (unless_last !== undefined) {
    const holders = devices
      .all()
      .filter(({ roles, revoked_at }) => revoked_at === null && roles.includes(unless_last));
    if (holders.length === 1 && holders[0]?.device_id === device_id) {
      throw new Refused({ reason: 'device_last' });
    }
  }
  devices.put(device_id, { ...device, revoked_at: device.revoked_at ?? at });
  return null;
}

function putFile(tables: Tables, { file }: PutFile): null {
  if (tables.files.get(file.file_id) !== undefined) throw new Refused({ reason: 'file_exists' });
  if (file.session_id !== null) sessionRow(tables, file.session_id);
  tables.files.put(file.file_id, file);
  return null;
}

function putTask(tables: Tables, { task, if_revision }: PutTask): { readonly revision: number } {
  sessionRow(tables, task.session_id);
  const there = tables.tasks.get(task.task_id);
  if ((there?.revision ?? 0) !== if_revision) throw new Refused({ reason: 'task_changed', task: there });
  const revision = if_revision + 1;
  tables.tasks.put(task.task_id, { ...task, revision });
  return { revision };
}

function putTabSession(tables: Tables, { session }: PutTabSession): null {
  sessionRow(tables, session.session_id);
  tables.tabSessions.put(session.session_id, session);
  return null;
}
