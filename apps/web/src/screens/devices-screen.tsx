import {
  Button,
  Confirm,
  CopyButton,
  clockTime,
  Notice,
  SelectField,
  TextField,
  TimeAgo,
  useWords,
} from '@drawbridge/ui';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { isOwner, useApp, useAppState, usePreferences } from '../app-context.ts';
import type { Device, DeviceList, Passkey } from '../client/api.ts';
import { deviceLabel } from '../client/device-label.ts';
import { addPasskey, canUsePasskeys } from '../client/passkeys.ts';
import { problemText } from '../client/request.ts';
import { sessionRows } from '../state/session-list.ts';
import { CommandLine } from './command-line.tsx';
import { OthersConfirmations } from './confirmation-card.tsx';
import { PairingCode } from './pairing-code.tsx';
import { rolesText } from './roles-text.ts';
import { Card, ScreenFrame } from './screen-frame.tsx';

type Said = { readonly meaning: 'done' | 'fail'; readonly text: string } | undefined;

export function DevicesScreen() {
  const words = useWords();
  const { api, me, onSignedOut } = useApp();
  const [known, setKnown] = useState<DeviceList>();
  const devices: readonly Device[] = known?.devices ?? [];
  const [said, setSaid] = useState<Said>();
  const [leaving, setLeaving] = useState<Device>();
  const load = useCallback(() => {
    api
      .devicesAndReach()
      .then(setKnown, (error: unknown) => setSaid({ meaning: 'fail', text: problemText(error, words) }));
  }, [api, words]);
  useEffect(load, [load]);
  const tried = (work: Promise<unknown>): void => {
    work.then(load, (error: unknown) => setSaid({ meaning: 'fail', text: problemText(error, words) }));
  };
  const isThis = (device: Device): boolean => device.device_id === me.device_id;
  const live = devices.filter(({ revoked_at }) => revoked_at === null);

  return (
    <ScreenFrame title={words.devices.title} says={words.devices.says}>
      {said ? (
        <Notice meaning={said.meaning} className="rounded-card">
          {said.text}
        </Notice>
      ) : null}
      {isOwner(me) ? <OthersConfirmations onSaid={setSaid} /> : null}
      {isOwner(me) ? (
        <PairingCard
          onSaid={setSaid}
          onChanged={load}
          needsHost={known !== undefined && known.outside_url === undefined && isOnlyHere(location.href)}
        />
      ) : null}
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {live
          .toSorted(
            (a, b) => Number(isThis(b)) - Number(isThis(a)) || a.label.localeCompare(b.label, words.locale),
          )
          .map((device) => (
            <li key={device.device_id} className="flex items-center gap-3 px-4 py-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">
                  {device.label}
                  {isThis(device) ? (
                    <span className="font-normal text-accent"> · {words.devices.thisOne}</span>
                  ) : null}
                </p>
                <p className="text-meta text-quiet">
                  {capital(rolesText(device, words))} ·{' '}
                  <span className="whitespace-nowrap">
                    {device.last_seen_at ? <TimeAgo at={device.last_seen_at} /> : words.devices.never}
                  </span>
                </p>
              </div>
              {isOwner(me) || isThis(device) ? (
                <Button look="danger" className="text-meta" onClick={() => setLeaving(device)}>
                  {isThis(device) ? words.devices.signOut : words.devices.revoke}
                </Button>
              ) : null}
            </li>
          ))}
      </ul>
      {isOwner(me) ? <PasskeyCard onSaid={setSaid} /> : null}
      {leaving ? (
        <Confirm
          title={isThis(leaving) ? words.devices.signOutAsk : words.devices.revokeAsk(leaving.label)}
          says={isThis(leaving) ? words.devices.signOutSays : words.devices.revokeSays}
          action={isThis(leaving) ? words.devices.signOut : words.devices.revoke}
          onClose={() => setLeaving(undefined)}
          onConfirm={() =>
            isThis(leaving) ? tried(api.signOut().then(onSignedOut)) : tried(api.revoke(leaving.device_id))
          }
        />
      ) : null}
    </ScreenFrame>
  );
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** No phone can open a loopback address. */
const isOnlyHere = (url: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Told before anybody confirms a link that is of no use. */
const FOR_A_PHONE: ReadonlySet<string> = new Set(['person', 'guest', 'owner']);

function PhoneCommand({ says, next }: { readonly says: string; readonly next?: string }) {
  return (
    <div className="mt-3 flex flex-col gap-1 text-meta">
      <p className="text-quiet">{says}</p>
      <CommandLine command="npm start -- --host 0.0.0.0" />
      {next === undefined ? null : <p className="text-quiet">{next}</p>}
    </div>
  );
}

/** An extension has two roles: a browser that lends tabs, and its person. */
const ROLES: Readonly<Record<string, Device['roles']>> = {
  person: ['person'],
  guest: ['person'],
  extension: ['runtime', 'person'],
  owner: ['owner'],
  proxy: ['proxy'],
};
const rolesOf = (role: string): Device['roles'] => ROLES[role] ?? [];

/** Open conversations, by the names in the list. */
function useSessionNames(): readonly { readonly value: string; readonly label: string }[] {
  const words = useWords();
  const state = useAppState((all) => all);
  const preferences = usePreferences();
  return useMemo(
    () =>
      sessionRows(state, preferences, words)
        .filter(({ group }) => group !== 'task')
        .map(({ session_id, name }) => ({ value: session_id, label: name })),
    [state, preferences, words],
  );
}

interface SayingProps {
  readonly onSaid: (said: Said) => void;
}

interface PairingCardProps extends SayingProps {
  readonly onChanged: () => void;
  /** Whether no phone can reach the relay yet. */
  readonly needsHost: boolean;
}

function PairingCard({ onSaid, onChanged, needsHost }: PairingCardProps) {
  const words = useWords();
  const { api } = useApp();
  const [role, setRole] = useState('person');
  const [label, setLabel] = useState('');
  const sessions = useSessionNames();
  const [chosen, setGuestOf] = useState<string>();
  const guestOf = chosen ?? sessions[0]?.value;
  const isGuest = role === 'guest';
  const scopes = isGuest && guestOf !== undefined ? [`session:${guestOf}`] : [];
  const isComplete = !isGuest || guestOf !== undefined;
  const [link, setLink] = useState<{ readonly url: string; readonly expires_at: number }>();
  const [code, setCode] = useState('');
  const failed = (error: unknown): void => onSaid({ meaning: 'fail', text: problemText(error, words) });
  return (
    <Card title={words.devices.add}>
      <p className="text-quiet">{words.devices.addSays}</p>
      <form
        className="mt-3 grid gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          api
            .invite(rolesOf(role), label.trim() || words.devices.unnamed, scopes)
            .then(
              ({ pair_path, expires_at, outside_url = location.origin }) =>
                setLink({ url: outside_url + pair_path, expires_at }),
              failed,
            );
        }}
      >
        <SelectField
          label={words.devices.role}
          value={role}
          onChoose={setRole}
          options={(['person', 'guest', 'extension', 'owner', 'proxy'] as const).map((value) => ({
            value,
            label: words.devices.kinds[value],
          }))}
        />
        {isGuest ? (
          <SelectField
            label={words.devices.guestOf}
            hint={isComplete ? undefined : words.devices.noGuestOf}
            disabled={!isComplete}
            value={guestOf ?? ''}
            onChoose={setGuestOf}
            options={sessions}
          />
        ) : null}
        <TextField
          label={words.devices.nameOptional}
          value={label}
          maxLength={80}
          onChange={({ target }) => setLabel(target.value)}
        />
        <Button
          look="primary"
          type="submit"
          disabled={!isComplete}
          className="sm:col-span-2 sm:justify-self-start"
        >
          {words.devices.makeLink}
        </Button>
      </form>
      {link === undefined && needsHost && FOR_A_PHONE.has(role) ? (
        <PhoneCommand says={words.devices.needsHost} />
      ) : null}
      {link ? (
        <div className="mt-3 rounded-md bg-sunken p-3">
          <p className="text-meta text-quiet">
            {words.devices.link}. {words.devices.expires(clockTime(link.expires_at, words))}
          </p>
          {isOnlyHere(link.url) ? (
            <PhoneCommand says={words.devices.onlyHere} next={words.devices.onlyHereNext} />
          ) : (
            <PairingCode text={link.url} label={words.devices.scan} />
          )}
          <p className="flex items-start gap-1">
            <code className="min-w-0 flex-1 font-mono text-meta [overflow-wrap:anywhere]">{link.url}</code>
            <CopyButton text={link.url} label={words.devices.copyLink} />
          </p>
          {'share' in navigator ? (
            <Button className="mt-2" onClick={() => void navigator.share({ url: link.url }).catch(() => {})}>
              {words.devices.share}
            </Button>
          ) : null}
        </div>
      ) : null}
      <div className="mt-4 border-t border-line pt-3">
        <p>{words.devices.code}</p>
        <form
          className="mt-1 flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            api.approve(code, rolesOf(role), scopes).then(({ label: name }) => {
              setCode('');
              onSaid({ meaning: 'done', text: words.devices.approved(name) });
              onChanged();
            }, failed);
          }}
        >
          <div className="max-w-sm flex-1">
            <TextField
              label={words.devices.codeLabel}
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          </div>
          <Button type="submit" disabled={code.trim() === '' || !isComplete}>
            {words.devices.approve}
          </Button>
        </form>
      </div>
    </Card>
  );
}

function PasskeyCard({ onSaid }: SayingProps) {
  const words = useWords();
  const { api } = useApp();
  const [passkeys, setPasskeys] = useState<readonly Passkey[]>([]);
  const load = useCallback(() => {
    api.passkeys().then(setPasskeys, () => {});
  }, [api]);
  useEffect(load, [load]);
  const tried = (work: Promise<unknown>): void => {
    work.then(load, (error: unknown) => onSaid({ meaning: 'fail', text: problemText(error, words) }));
  };
  return (
    <Card title={words.devices.passkeys}>
      <p className="text-quiet">{words.devices.passkeysSay}</p>
      <ul className="my-2">
        {passkeys.map(({ id, label, rp_id, created_at }) => (
          <li key={id} className="flex items-center gap-2 py-1">
            <span className="min-w-0 flex-1 truncate">
              {label} <span className="text-meta text-quiet">{rp_id} · </span>
              <span className="text-meta text-quiet">
                <TimeAgo at={created_at} />
              </span>
            </span>
            <Button className="text-meta" onClick={() => tried(api.removePasskey(id))}>
              {words.devices.removePasskey}
            </Button>
          </li>
        ))}
        {passkeys.length === 0 ? <li className="text-meta text-quiet">{words.devices.noPasskeys}</li> : null}
      </ul>
      {canUsePasskeys() ? (
        <Button onClick={() => tried(addPasskey(deviceLabel()))}>{words.devices.addPasskey}</Button>
      ) : null}
    </Card>
  );
}
