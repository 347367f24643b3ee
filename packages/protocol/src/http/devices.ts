import { type Static, Type } from 'typebox';
import { defineRoutes, listOf, shape } from './route.ts';

export type Role = 'owner' | 'person' | 'agent' | 'runtime' | 'proxy';

/** A device as the relay lists it. */
export interface DeviceView {
  readonly device_id: string;
  readonly label: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly string[];
  readonly created_at: number;
  readonly last_seen_at: number | null;
  readonly revoked_at: number | null;
  /** Id of the device that let it in; null for this machine and for a passkey. */
  readonly by: string | null;
}

export interface PasskeyView {
  /** Credential id, in base64url. */
  readonly id: string;
  readonly label: string;
  /** The name it was created under: it works under no other. */
  readonly rp_id: string;
  readonly created_at: number;
  /** The device that added it. */
  readonly by: string;
}

export interface OpenCode {
  readonly id: string;
  readonly code: string;
  readonly poll_secret: string;
}

const Text = Type.String();
const Label = Type.Optional(Text);
const Roles = Type.Array(Type.Enum(['owner', 'person', 'agent', 'runtime', 'proxy']));
const Scopes = Type.Array(Text);
const Identity = Type.Object({ device_id: Text, roles: Roles, scopes: Scopes, label: Text });
export interface NewIdentity {
  readonly device_id: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly string[];
  readonly label: string;
}
export interface MintedProgram extends NewIdentity {
  readonly token: string;
}
/** A program has a token, a browser a name. */
export interface MintedDevice extends NewIdentity {
  readonly token?: string;
  readonly browser_name?: string;
}
const Minted = Type.Unsafe<MintedDevice>(
  Type.Intersect([
    Identity,
    Type.Object({
      token: Type.Optional(Type.String({ description: 'For a program. Shown only once.' })),
      browser_name: Type.Optional(
        Type.String({ description: 'For a browser, instead of a token: its proofs carry it.' }),
      ),
    }),
  ]),
);
const Order = Type.Object({ roles: Roles, scopes: Type.Optional(Scopes), label: Label });
/** Public key of a browser's P-256 pair. Requests carry a `Drawbridge-Proof` signed with the private key. */
const BrowserKey = shape<object>({ description: 'The public JWK of the browser that pairs: EC, P-256.' });
const wait = { description: 'Wait at most this many seconds for a change.' };

const ofDevices = { tag: 'devices', access: 'device', bytes: 65_536 } as const;
const forAnybody = { tag: 'devices', access: 'anybody', bytes: 65_536 } as const;
const device_id = 'The device.';

export const DEVICES = defineRoutes({
  'GET /api/me': { ...ofDevices, operation: 'whoAmI', summary: 'The device that calls.', reply: Identity },
  'POST /api/signout': { ...ofDevices, operation: 'signOut', summary: 'Revoke the device that calls.' },
  'GET /api/devices': {
    ...{ ...ofDevices, operation: 'listDevices' },
    summary: 'All devices for people, its own for any other device.',
    reply: Type.Object({
      devices: Type.Array(shape<DeviceView>()),
      outside_url: Type.Optional(Type.String({ description: 'For an owner: address for other machines.' })),
    }),
  },
  'POST /api/devices': {
    ...{ ...ofDevices, operation: 'mintDevice', summary: 'Create a device with a token.' },
    ...{ body: Order, reply: Type.Unsafe<MintedProgram>(Minted), status: 201 },
    refuses: ['invalid_request'],
  },
  'PATCH /api/devices/{device_id}': {
    ...{ ...ofDevices, operation: 'renameDevice', summary: 'Rename the device.', params: { device_id } },
    body: Type.Object({ label: Text }),
    reply: Type.Object({ device_id: Type.Optional(Text), label: Type.Optional(Text) }),
    refuses: ['invalid_request', 'device_not_found'],
  },
  'DELETE /api/devices/{device_id}': {
    ...{ ...ofDevices, operation: 'revokeDevice', params: { device_id } },
    summary: 'Revoke the device: its connections end at once.',
    refuses: ['device_not_found', 'last_owner'],
  },
});

export const PAIRING = defineRoutes({
  'POST /api/pair': {
    ...{ ...forAnybody, operation: 'claimInvitation', reply: Minted },
    summary: 'Pair with the secret of a pairing link.',
    body: Type.Object({
      secret: Text,
      label: Label,
      as: Type.Optional(Type.Enum(['browser', 'token'])),
      key: Type.Optional(BrowserKey),
    }),
    refuses: ['invalid_request', 'wrong_origin', 'pairing_not_found', 'rate_limited'],
  },
  'POST /api/pair/invite': {
    ...{ ...ofDevices, operation: 'invite', summary: 'Create a pairing link for another device.' },
    body: Order,
    reply: Type.Object({
      pair_path: Text,
      expires_at: Type.Integer(),
      outside_url: Type.Optional(Text),
    }),
    ...{ status: 201, refuses: ['invalid_request'] },
  },
  'POST /api/pair/code': {
    ...{ ...forAnybody, operation: 'openPairingCode', reply: shape<OpenCode>(), status: 201 },
    summary: 'Create a six-digit code that a person approves elsewhere.',
    body: Type.Object({ label: Label, key: Type.Optional(BrowserKey) }),
    refuses: ['invalid_request', 'pairing_full'],
  },
  'GET /api/pair/code/{id}': {
    ...{ ...forAnybody, operation: 'collectPairing', reply: Minted },
    summary: 'The device of an approved code; 202 before approval.',
    params: { id: 'The code, as it was created; send `Authorization: Pairing SECRET` with it.' },
    query: {
      wait,
      as: {
        description: 'A token instead of the name of a browser.',
        schema: Type.Enum(['browser', 'token']),
      },
    },
    refuses: ['wrong_origin', 'pairing_not_found', 'rate_limited'],
  },
  'POST /api/pair/approve': {
    ...{ ...ofDevices, operation: 'approvePairing' },
    summary: 'Approve the device that shows this code.',
    body: Type.Object({ code: Text, roles: Type.Optional(Roles), scopes: Type.Optional(Scopes) }),
    reply: Type.Unsafe<{ readonly label: string; readonly roles: readonly Role[] }>(
      Type.Object({ label: Type.Optional(Text), roles: Type.Optional(Roles) }),
    ),
    refuses: ['invalid_request', 'pairing_not_found', 'rate_limited'],
  },
});

const anything = shape<object>();
const Ceremony = shape<{ readonly attempt: string; readonly options: object }>({
  description: 'The options for `navigator.credentials`, and the `attempt` to name.',
});

/** The owner's passkeys. */
export const PASSKEYS = defineRoutes({
  'GET /api/passkeys': {
    ...{ ...ofDevices, operation: 'listPasskeys', reply: listOf('passkeys', shape<PasskeyView>()) },
    summary: 'The passkeys that an owner can sign in with.',
  },
  'POST /api/passkeys': {
    ...{ ...ofDevices, operation: 'addPasskey', reply: shape<PasskeyView>(), status: 201 },
    summary: 'Store a passkey that a browser has created.',
    body: Type.Object({ attempt: Text, credential: anything, label: Label }),
    refuses: ['invalid_request', 'passkey_not_found', 'passkeys_full', 'rate_limited'],
  },
  'POST /api/passkeys/options': {
    ...{ ...ofDevices, operation: 'offerPasskey', reply: Ceremony, status: 201 },
    ...{ summary: 'Start creating a passkey.', refuses: ['invalid_request'] },
  },
  'DELETE /api/passkeys/{id}': {
    ...{ ...ofDevices, operation: 'removePasskey', summary: 'Delete the passkey.' },
    ...{ params: { id: 'The passkey.' }, refuses: ['passkey_not_found'] },
  },
  'POST /api/passkeys/signin/options': {
    ...{ ...forAnybody, operation: 'offerSignIn', reply: Ceremony, status: 201 },
    summary: 'Start signing in with a passkey.',
    refuses: ['invalid_request', 'wrong_origin', 'rate_limited'],
  },
  'POST /api/passkeys/signin': {
    ...{ ...forAnybody, operation: 'signIn', reply: Type.Unsafe<MintedDevice>(anything) },
    summary: 'Sign in with a passkey, as a new device.',
    body: Type.Object({ attempt: Text, credential: anything, label: Label, key: BrowserKey }),
    refuses: ['invalid_request', 'passkey_refused', 'passkey_not_found', 'rate_limited'],
  },
});

const Act = Type.Enum([
  'invite',
  'mint',
  'approve',
  'add_passkey',
  'remove_passkey',
  'give_back',
  'give_back_tab',
  'add_task_client',
  'read_pusher_secret',
  'add_webhook',
  'choose_model',
]);
export interface ConfirmationView {
  readonly id: string;
  readonly device_id: string;
  readonly device_label: string;
  readonly act: Static<typeof Act>;
  readonly label: string;
  readonly roles: readonly string[];
  readonly expires_at: number;
}
const Confirmation = Type.Unsafe<ConfirmationView>(
  Type.Object({
    id: Text,
    device_id: Text,
    device_label: Type.Optional(Text),
    act: Act,
    label: Text,
    roles: Type.Array(Text),
    expires_at: Type.Integer(),
  }),
);
const confirmation = { id: 'The confirmation.' };

/** Browser requests that give access and wait for a passkey, another owner's device or the terminal. */
export const CONFIRMATIONS = defineRoutes({
  'GET /api/confirmations': {
    ...{ ...ofDevices, operation: 'listConfirmations', reply: listOf('confirmations', Confirmation) },
    summary: 'The browser requests that wait for an owner.',
  },
  'GET /api/confirmations/{id}': {
    ...{ ...ofDevices, operation: 'getConfirmation', params: confirmation, query: { wait } },
    summary: "The state of the caller's request.",
    reply: Type.Object({ state: Type.Enum(['waiting', 'confirmed', 'refused']) }),
    refuses: ['confirmation_not_found'],
  },
  'POST /api/confirmations/{id}': {
    ...{ ...ofDevices, operation: 'answerConfirmation', params: confirmation },
    summary: "Confirm or refuse another device's request, as an owner.",
    body: Type.Object({ verdict: Type.Enum(['confirm', 'refuse']) }),
    refuses: ['invalid_request', 'confirmation_not_found'],
  },
  'POST /api/confirmations/{id}/passkey/options': {
    ...{ ...ofDevices, operation: 'offerConfirmation', params: confirmation, reply: Ceremony, status: 201 },
    summary: "Start confirming the caller's request with a passkey.",
    refuses: ['invalid_request', 'confirmation_not_found', 'passkey_needs_name', 'rate_limited'],
  },
  'POST /api/confirmations/{id}/passkey': {
    ...{ ...ofDevices, operation: 'confirmWithPasskey', params: confirmation },
    summary: "Confirm the caller's request with a passkey.",
    body: Type.Object({ attempt: Text, credential: anything }),
    refuses: ['invalid_request', 'confirmation_not_found', 'rate_limited'],
  },
});
