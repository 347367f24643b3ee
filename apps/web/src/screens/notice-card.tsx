import { Button, CheckField, Notice, TextField, useWords } from '@drawbridge/ui';
import { useEffect, useState } from 'react';
import {
  NOTICE_KINDS,
  type NoticeSettings,
  type NotificationSettings,
  noticeApi,
} from '../client/notice-api.ts';
import { canPush, PushDenied, startPush, stopPush, translatePush } from '../client/push.ts';
import { problemText } from '../client/request.ts';
import { NoticeLog } from './notice-log.tsx';
import { Card } from './screen-frame.tsx';

const USUAL_QUIET = { from: '22:00', to: '07:00', except_prompts: true };

/** Notification settings of this device. */
export function NoticeCard() {
  const words = useWords();
  const [settings, setSettings] = useState<NoticeSettings>();
  const [said, setSaid] = useState<{ readonly meaning: 'done' | 'fail'; readonly text: string }>();
  const tried = <Answer,>(work: Promise<Answer>, done: (answer: Answer) => void): void => {
    setSaid(undefined);
    work.then(done, (error: unknown) => {
      const text = error instanceof PushDenied ? words.notices.denied : problemText(error, words);
      setSaid({ meaning: 'fail', text });
    });
  };
  useEffect(() => {
    noticeApi.settings().then(setSettings, () => {});
  }, []);
  const isOn = settings?.subscribed ?? false;
  const isForeign = isOn && settings?.language !== words.locale;
  useEffect(() => {
    if (!isForeign || !canPush()) return;
    translatePush(words.locale).then(
      (translated) => translated && setSettings(translated),
      () => {},
    );
  }, [isForeign, words.locale]);
  return (
    <Card title={words.notices.title}>
      <p className="text-quiet">{canPush() ? words.notices.says : words.notices.cannot}</p>
      {canPush() && settings ? (
        <div className="mt-3 flex flex-wrap gap-2">
          {isOn ? (
            <>
              <Button
                onClick={() => tried(stopPush(), () => setSettings({ ...settings, subscribed: false }))}
              >
                {words.notices.off}
              </Button>
              <Button
                onClick={() =>
                  tried(noticeApi.test(), ({ state }) =>
                    setSaid({
                      meaning: state === 'failed' ? 'fail' : 'done',
                      text: words.notices.tested[state],
                    }),
                  )
                }
              >
                {words.notices.test}
              </Button>
            </>
          ) : (
            <Button look="primary" onClick={() => tried(startPush(words.locale), setSettings)}>
              {words.notices.on}
            </Button>
          )}
        </div>
      ) : null}
      {said ? (
        <Notice meaning={said.meaning} className="mt-2 rounded-card">
          {said.text}
        </Notice>
      ) : null}
      {settings && isOn ? (
        <NotificationToggles
          settings={settings}
          onChange={(chosen) => tried(noticeApi.prefer(chosen), setSettings)}
        />
      ) : null}
      {isOn ? <NoticeLog /> : null}
    </Card>
  );
}

interface SettingsProps {
  readonly settings: NotificationSettings;
  readonly onChange: (chosen: NotificationSettings) => void;
}

function NotificationToggles({ settings: { kinds, quiet_hours }, onChange }: SettingsProps) {
  const words = useWords();
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const quiet = (change: Partial<typeof USUAL_QUIET>): void =>
    onChange({ kinds, quiet_hours: { ...USUAL_QUIET, ...quiet_hours, timezone, ...change } });
  return (
    <div className="mt-3 flex flex-col gap-1">
      {NOTICE_KINDS.map((kind) => (
        <CheckField
          key={kind}
          label={words.notices.kinds[kind]}
          checked={kinds.includes(kind)}
          onCheck={(isChecked) =>
            onChange({
              kinds: NOTICE_KINDS.filter((one) => (one === kind ? isChecked : kinds.includes(one))),
              quiet_hours,
            })
          }
        />
      ))}
      <CheckField
        label={words.notices.quiet}
        checked={quiet_hours !== null}
        onCheck={(isChecked) => (isChecked ? quiet({}) : onChange({ kinds, quiet_hours: null }))}
      />
      {quiet_hours ? (
        <div className="grid grid-cols-2 gap-3 ps-7">
          {(['from', 'to'] as const).map((end) => (
            <TextField
              key={end}
              type="time"
              label={words.notices[end]}
              value={quiet_hours[end]}
              onChange={({ target }) => {
                if (target.value !== '') quiet({ [end]: target.value });
              }}
            />
          ))}
          <div className="col-span-2">
            <CheckField
              label={words.notices.exceptPrompts}
              checked={quiet_hours.except_prompts}
              onCheck={(except_prompts) => quiet({ except_prompts })}
            />
          </div>
        </div>
      ) : null}
    </div>
  );
}
