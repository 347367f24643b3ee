import { Disclosure, SelectField, sessionName, TextField, useWords } from '@drawbridge/ui';
import { useAppState, usePreferences } from '../app-context.ts';
import type { Device } from '../client/api.ts';
import type { AuditQuery } from '../client/audit-api.ts';

const DAY_MS = 86_400_000;
/** Start of the day in local time. */
const startOf = (day: string): number => new Date(`${day}T00:00`).getTime();
const dayOf = (at: number | undefined): string => {
  if (at === undefined) return '';
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

export interface AuditFiltersProps {
  readonly query: AuditQuery;
  readonly devices: readonly Device[];
  readonly onChange: (query: AuditQuery) => void;
}

export function AuditFilters({ query, devices, onChange }: AuditFiltersProps) {
  const words = useWords();
  const sessions = useAppState((state) => state.sessions);
  const { names } = usePreferences();
  const { device = '', action = '', subject = '', from, until } = query;
  const anything = { value: '', label: words.audit.any };
  /** An emptied field removes its filter. */
  const wish = (change: { readonly [Name in keyof AuditQuery]: AuditQuery[Name] | undefined }): void => {
    const next = Object.entries({ ...query, ...change }).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    onChange(Object.fromEntries(next));
  };
  const count = Object.keys(query).length;
  return (
    <Disclosure
      summary={words.audit.filters(count)}
      isOpenFirst={matchMedia('(min-width: 60rem)').matches}
      className="rounded-card border border-line bg-surface px-3 py-1"
    >
      {() => (
        <div className="grid gap-3 pb-3 sm:grid-cols-2 wide:grid-cols-3">
          <SelectField
            label={words.audit.who}
            value={device}
            onChoose={(value) => wish({ device: value })}
            options={[
              anything,
              { value: 'machine', label: words.audit.machine },
              ...devices.map(({ device_id, label }) => ({ value: device_id, label })),
            ]}
          />
          <SelectField
            label={words.audit.what}
            value={action}
            onChoose={(value) => wish({ action: value })}
            options={[
              anything,
              ...Object.entries(words.audit.entries).map(([value, { name }]) => ({ value, label: name })),
            ]}
          />
          <SelectField
            label={words.audit.session}
            value={subject}
            onChoose={(value) => wish({ subject: value })}
            options={[
              anything,
              ...[...sessions.values()].map((session) => ({
                value: session.session_id,
                label: names[session.session_id] ?? sessionName(session),
              })),
            ]}
          />
          <TextField
            type="date"
            label={words.audit.from}
            value={dayOf(from)}
            onChange={({ target }) => wish({ from: target.value === '' ? undefined : startOf(target.value) })}
          />
          <TextField
            type="date"
            label={words.audit.until}
            value={dayOf(until === undefined ? undefined : until - DAY_MS / 2)}
            onChange={({ target }) =>
              wish({ until: target.value === '' ? undefined : startOf(target.value) + DAY_MS })
            }
          />
        </div>
      )}
    </Disclosure>
  );
}
