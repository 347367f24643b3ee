import { Button, Disclosure, Notice, TimeAgo, useWords } from '@drawbridge/ui';
import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from '@drawbridge/ui/icons';
import { useState } from 'react';
import { problemText } from '../client/request.ts';
import { type MapFinding, type SiteMap, tabApi } from '../client/tab-api.ts';
import { Card } from './screen-frame.tsx';

export interface MapCardProps {
  readonly maps: readonly SiteMap[];
  readonly onChecked: () => void;
}

/** Maps of these tabs, and whether their pages still match. */
export function MapCard({ maps, onChecked }: MapCardProps) {
  const words = useWords();
  return (
    <Card title={words.tabs.maps}>
      <p className="text-quiet">{maps.length === 0 ? words.tabs.noMaps : words.tabs.mapsSay}</p>
      <ul className="mt-2 divide-y divide-line">
        {maps.map((map) => (
          <li key={map.map_id} className="py-2">
            <MapRow map={map} onChecked={onChecked} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const STATUSES: Readonly<Record<MapFinding['status'], { readonly Icon: LucideIcon; readonly tone: string }>> =
  {
    pass: { Icon: CircleCheck, tone: 'text-done' },
    fail: { Icon: CircleX, tone: 'text-fail' },
    error: { Icon: CircleX, tone: 'text-fail' },
    skipped: { Icon: CircleHelp, tone: 'text-quiet' },
  };

function MapRow({ map, onChecked }: { readonly map: SiteMap; readonly onChecked: () => void }) {
  const words = useWords();
  const { name, site, version, description, tools, checks, last_check: last, runtimes } = map;
  const [isLooking, setLooking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [runtime_id] = runtimes;
  const about = [
    ...(site === null ? [] : [site]),
    ...(version === null ? [] : [words.tabs.version(version)]),
    words.tabs.tools(tools.length),
    words.tabs.checks(checks.length),
  ];
  const look = async (id: string): Promise<void> => {
    setLooking(true);
    setProblem(undefined);
    try {
      await tabApi.check(id);
      onChecked();
    } catch (error) {
      setProblem(problemText(error, words));
    }
    setLooking(false);
  };
  return (
    <Disclosure
      summary={
        <span className="min-w-0 flex-1 py-1.5">
          <span className="block truncate text-body font-medium text-ink">{name}</span>
          <span className="block truncate">{about.join(' · ')}</span>
          {last ? (
            <span className={`block ${last.ok ? 'text-done' : 'text-fail'}`}>
              {last.ok ? words.tabs.fits : words.tabs.drifted} · <TimeAgo at={last.at} />
            </span>
          ) : null}
        </span>
      }
    >
      {() => (
        <div className="ps-6 text-meta">
          {description ? <p className="my-1 text-quiet">{description}</p> : null}
          <ul className="flex flex-col gap-1">
            {tools.map((tool) => (
              <li key={tool.name} className="[overflow-wrap:anywhere]">
                <code className="font-mono">{tool.name}</code>
                {tool.effect ? ` · ${words.tabs.effects[tool.effect]}` : ''}
                <span className="block text-quiet">{tool.description}</span>
              </li>
            ))}
            {checks.map((check) => (
              <li key={`check ${check.id}`} className="[overflow-wrap:anywhere]">
                {check.description ?? check.id}
                {check.severity ? <span className="text-quiet"> · {check.severity}</span> : null}
                <Found finding={last?.checks.find(({ id }) => id === check.id)} />
              </li>
            ))}
          </ul>
          {last?.problem ? <p className="mt-2 text-fail">{last.problem}</p> : null}
          {problem ? (
            <Notice meaning="fail" className="mt-2 rounded-card">
              {problem}
            </Notice>
          ) : null}
          {runtime_id !== undefined && checks.length > 0 ? (
            <Button className="mt-2 text-meta" disabled={isLooking} onClick={() => void look(runtime_id)}>
              {isLooking ? words.tabs.checking : words.tabs.check}
            </Button>
          ) : null}
        </div>
      )}
    </Disclosure>
  );
}

function Found({ finding }: { readonly finding: MapFinding | undefined }) {
  const words = useWords();
  if (finding === undefined) return null;
  const { Icon, tone } = STATUSES[finding.status];
  return (
    <span className={`flex items-start gap-1 ${tone}`}>
      <Icon size={14} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0">
        {words.tabs.found[finding.status]}
        {finding.why ? `: ${finding.why}` : ''}
      </span>
    </span>
  );
}
