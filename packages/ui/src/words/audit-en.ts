import type { AuditAction } from '@drawbridge/protocol/http';

/** Names in an entry of the audit log. */
export interface AuditNames {
  readonly who: string;
  /** A detail of the entry in people's words; empty when it has none. */
  readonly of: (name: string) => string;
}

/** ` in shop`, or nothing. */
const after = (word: string, name: string): string => (name === '' ? '' : ` ${word} ${name}`);

/** A sentence inside another: without its full stop. */
export const bare = (sentence: string): string => sentence.replace(/\.$/, '');

export const auditEn = {
  title: 'Audit log',
  says: 'Every action and who did it, newest first. Entries are never deleted.',
  filters: (count: number) => (count === 0 ? 'Filter' : `Filter (${count} set)`),
  any: 'any',
  who: 'Who',
  what: 'What',
  session: 'Session',
  from: 'From',
  until: 'Up to',
  noMatch: 'No entries match these filters.',
  more: 'Older entries',
  export: 'Export as JSON',
  empty: 'No entries yet.',
  machine: 'this machine',
  someone: 'an unknown device',
  anAgent: 'an agent',
  aTab: 'a tab',
  /** By action: its name, and the sentence of an entry. */
  entries: {
    agent_ended: {
      name: 'Agent ended',
      says: ({ who, of }: AuditNames) => `${who} ended ${of('agent')}.`,
    },
    agent_launched: {
      name: 'Agent started',
      says: ({ who, of }: AuditNames) =>
        `${who} started ${of('agent')}${after('on', of('machine'))}${after('in', of('folder'))}.`,
    },
    agent_stopped: {
      name: 'Agent stopped',
      says: ({ who, of }: AuditNames) =>
        of('problem') ? `${who} asked ${of('agent')} to stop.` : `${who} stopped ${of('agent')}.`,
    },
    browser_given_back: {
      name: 'Browser handed back',
      says: ({ who, of }: AuditNames) => `${who} handed the browser back to ${of('agent')}.`,
    },
    browser_lent: {
      name: 'Browser lent',
      says: ({ who, of }: AuditNames) => `${who} lent ${of('agent')} the browser.`,
    },
    browser_step: {
      name: 'Step in the browser',
      says: ({ of }: AuditNames) => `${of('agent')}: ${of('step')}.${of('problem') ? ' Not done.' : ''}`,
    },
    browser_taken_back: {
      name: 'Browser taken back',
      says: ({ who, of }: AuditNames) => `${who} took the browser back from ${of('agent')}.`,
    },
    browser_taken_over: {
      name: 'Browser taken over',
      says: ({ who, of }: AuditNames) => `${who} took over the browser from ${of('agent')}.`,
    },
    confirmed: {
      name: 'Request confirmed',
      says: ({ who, of }: AuditNames) => `${who} confirmed a request of ${of('for')}: “${of('label')}”.`,
    },
    decision_expired: {
      name: 'Decision expired',
      says: ({ of }: AuditNames) =>
        `Nobody answered ${of('agent')} in time: “${of('asked')}”${of('choice') ? `, so: ${of('choice')}` : ''}.`,
    },
    decision_made: {
      name: 'Decision',
      says: ({ who, of }: AuditNames) =>
        `${who} answered ${of('agent')} with “${of('choice')}”: “${of('asked')}”.`,
    },
    device_added: {
      name: 'Device added',
      says: ({ who, of }: AuditNames) =>
        of('how') === 'first start'
          ? 'Drawbridge was started here for the first time, and this machine became its owner.'
          : `${who} let in “${of('label')}”.`,
    },
    device_renamed: {
      name: 'Device renamed',
      says: ({ who, of }: AuditNames) => `${who} renamed ${of('from')} to ${of('to')}.`,
    },
    device_revoked: {
      name: 'Device revoked',
      says: ({ who, of }: AuditNames) => `${who} revoked ${of('label')}.`,
    },
    grant_revoked: {
      name: 'Permission revoked',
      says: ({ who, of }: AuditNames) =>
        of('grant_id')
          ? `${who} revoked a permission${after('for', of('tool'))} in ${of('tab')}.`
          : `${who} revoked all permissions in ${of('tab')}.`,
    },
    grants_renewed: {
      name: 'Permissions given back',
      says: ({ who, of }: AuditNames) =>
        of('tab')
          ? `${who} let agents read and act in ${of('tab')} again.`
          : `${who} let agents read and act in lent tabs again.`,
    },
    halted: {
      name: 'Everything stopped',
      says: ({ who }: AuditNames) => `${who} stopped everything.`,
    },
    launch_failed: {
      name: 'Agent not started',
      says: ({ who, of }: AuditNames) =>
        `${who} tried to start ${of('agent')}${after('on', of('machine'))}${after('in', of('folder'))}.`,
    },
    ledger_repaired: {
      name: 'Data repaired',
      says: () => 'The relay’s stored data was damaged and has been repaired.',
    },
    model_chosen: {
      name: 'Model chosen',
      says: ({ who, of }: AuditNames) =>
        of('provider')
          ? `${who} chose the model ${of('model') || of('provider')}.`
          : `${who} removed the model.`,
    },
    passkey_added: {
      name: 'Passkey added',
      says: ({ who, of }: AuditNames) => `${who} added the passkey ${of('label')}.`,
    },
    passkey_removed: {
      name: 'Passkey removed',
      says: ({ who, of }: AuditNames) => `${who} removed the passkey ${of('label')}.`,
    },
    passkey_used: {
      name: 'Passkey used',
      says: ({ who, of }: AuditNames) => `${who} used the passkey ${of('label')}.`,
    },
    retention_swept: {
      name: 'Old events deleted',
      says: ({ of }: AuditNames) =>
        `Events older than ${of('retention_days')} days were deleted: ${of('events')} events, ${of('sessions')} sessions.`,
    },
    session_deleted: {
      name: 'Session deleted',
      says: ({ who, of }: AuditNames) => `${who} deleted the session “${of('name')}”.`,
    },
    settings_changed: {
      name: 'Settings changed',
      says: ({ who, of }: AuditNames) =>
        of('retention_days')
          ? `${who} changed the settings: conversations are kept for ${of('retention_days')} days.`
          : `${who} changed the settings: conversations are kept.`,
    },
    tab_watched: {
      name: 'Tab watched',
      says: ({ who, of }: AuditNames) => `${who} watched ${of('tab')}.`,
    },
    task_ended: {
      name: 'Task ended',
      says: ({ who, of }: AuditNames) => `Task of ${who}: “${bare(of('text'))}”. ${of('state')}.`,
    },
    task_started: {
      name: 'Task started',
      says: ({ who, of }: AuditNames) => `${who} gave the task “${bare(of('text'))}”.`,
    },
    webhook_added: {
      name: 'Webhook added',
      says: ({ who, of }: AuditNames) => `${who} added a webhook to ${of('host')}.`,
    },
    webhook_removed: {
      name: 'Webhook removed',
      says: ({ who, of }: AuditNames) => `${who} removed the webhook to ${of('host')}.`,
    },
  } satisfies Readonly<Record<AuditAction, unknown>>,
};
