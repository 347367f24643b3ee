/**
 * Acts for which an owner's browser needs more than its proof, and why: they give somebody access, answer a secret, or send data
 * to a new place. Taking away, stopping, answering a prompt and reading what the browser sees anyway need the proof alone.
 */
export const CONFIRMED_ACTS = {
  invite: { route: 'POST /api/pair/invite', why: 'access' },
  mint: { route: 'POST /api/devices', why: 'access' },
  approve: { route: 'POST /api/pair/approve', why: 'access' },
  add_passkey: { route: 'POST /api/passkeys/options', why: 'access' },
  /** Passkeys confirm: an attacker would remove the person's own. */
  remove_passkey: { route: 'DELETE /api/passkeys/:id', why: 'access' },
  add_task_client: { route: 'POST /api/task-clients', why: 'access' },
  read_pusher_secret: { route: 'GET /api/pusher/config', why: 'secret' },
  add_webhook: { route: 'POST /api/webhooks', why: 'data leaves' },
  /** A model's server, or the account of its key, reads what tasks see. */
  choose_model: { route: 'PUT /api/settings/model', why: 'data leaves' },
} as const satisfies Readonly<Record<string, { readonly route: string; readonly why: string }>>;

export type Act = keyof typeof CONFIRMED_ACTS;
