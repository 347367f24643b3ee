/**
 * Acts that an owner's browser must confirm beyond its proof, because they give access, reveal a secret or
 * send data to a new place. Revoking, stopping, answering a prompt and reading need only the proof.
 */
export const CONFIRMED_ACTS = {
  invite: { route: 'POST /api/pair/invite', why: 'access' },
  mint: { route: 'POST /api/devices', why: 'access' },
  approve: { route: 'POST /api/pair/approve', why: 'access' },
  add_passkey: { route: 'POST /api/passkeys/options', why: 'access' },
  /** Requires a confirmation: an attacker would remove the person's own passkey. */
  remove_passkey: { route: 'DELETE /api/passkeys/:id', why: 'access' },
  give_back: { route: 'POST /api/grants', why: 'access' },
  give_back_tab: { route: 'POST /api/grants/:runtime_id', why: 'access' },
  add_task_client: { route: 'POST /api/task-clients', why: 'access' },
  read_pusher_secret: { route: 'GET /api/pusher/config', why: 'secret' },
  add_webhook: { route: 'POST /api/webhooks', why: 'data leaves' },
  /** The model's server, and the account of its key, receive what tasks see. */
  choose_model: { route: 'PUT /api/settings/model', why: 'data leaves' },
} as const satisfies Readonly<Record<string, { readonly route: string; readonly why: string }>>;

export type Act = keyof typeof CONFIRMED_ACTS;
