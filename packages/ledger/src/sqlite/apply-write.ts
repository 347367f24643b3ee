import type { Writer } from './chains.ts';
import { appendEvent, createSession, dropSession, pruneEvents, updateSession } from './event-writes.ts';
import {
  acceptMessage,
  editMessage,
  forgetMessage,
  forwardMessage,
  settleMessage,
} from './message-writes.ts';
import type { PackableWrite } from './packed-write.ts';
import {
  forgetPrompts,
  movePrompt,
  openLaunch,
  openPrompt,
  reportLaunch,
  settleLaunch,
} from './prompt-writes.ts';
import {
  audit,
  deleteFile,
  putDevice,
  putFile,
  putSetting,
  revokeDevice,
  updateDevice,
} from './settings-writes.ts';
import { putTabSession, putTask } from './task-writes.ts';

/** Throws `Refused` when the ledger's state does not allow the write. */
export function applyWrite(sql: Writer, write: PackableWrite): object | null {
  switch (write.do) {
    case 'create_session':
      return createSession(sql, write);
    case 'update_session':
      return updateSession(sql, write);
    case 'append_event':
      return appendEvent(sql, write);
    case 'accept_message':
      return acceptMessage(sql, write);
    case 'forward_message':
      return forwardMessage(sql, write);
    case 'forwarded':
      return { attempt: 1 };
    case 'edit_message':
      return editMessage(sql, write);
    case 'settle_message':
      return settleMessage(sql, write);
    case 'forget_message':
      return forgetMessage(sql, write);
    case 'open_prompt':
      return openPrompt(sql, write);
    case 'move_prompt':
      return movePrompt(sql, write);
    case 'forget_prompts':
      return forgetPrompts(sql, write);
    case 'open_launch':
      return openLaunch(sql, write);
    case 'settle_launch':
      return settleLaunch(sql, write);
    case 'tell_launch':
      return reportLaunch(sql, write);
    case 'put_device':
      return putDevice(sql, write);
    case 'update_device':
      return updateDevice(sql, write);
    case 'revoke_device':
      return revokeDevice(sql, write);
    case 'put_file':
      return putFile(sql, write);
    case 'delete_file':
      return deleteFile(sql, write);
    case 'audit':
      return audit(sql, write);
    case 'put_setting':
      return putSetting(sql, write);
    case 'put_task':
      return putTask(sql, write);
    case 'put_tab_session':
      return putTabSession(sql, write);
    case 'prune_events':
      return pruneEvents(sql, write);
    case 'drop_session':
      return dropSession(sql, write);
  }
}
