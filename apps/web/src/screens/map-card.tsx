import { Disclosure, useWords } from '@drawbridge/ui';
import type { SiteMap } from '../client/tab-api.ts';
import { Card } from './screen-frame.tsx';

/** The maps that the tabs here work by. */
export function MapCard({ maps }: { readonly maps: readonly SiteMap[] }) {
  const words = useWords();
  return (
    <Card title={words.tabs.maps}>
      <p className="text-quiet">{maps.length === 0 ? words.tabs.noMaps : words.tabs.mapsSay}</p>
      <ul className="mt-2 divide-y divide-line">
        {maps.map((map) => (
          <li key={map.map_id} className="py-2">
            <MapRow map={map} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function MapRow({ map }: { readonly map: SiteMap }) {
  const words = useWords();
  const { name, site, version, description, tools, checks } = map;
  const about = [
    ...(site === null ? [] : [site]),
    ...(version === null ? [] : [words.tabs.version(version)]),
    words.tabs.tools(tools.length),
    words.tabs.checks(checks.length),
  ];
  return (
    <Disclosure
      summary={
        <span className="min-w-0 flex-1">
          <span className="block truncate text-body font-medium text-ink">{name}</span>
          <span className="block truncate">{about.join(' · ')}</span>
        </span>
      }
    >
      {() => (
        <div className="ps-6 text-meta">
          {description ? <p className="mb-2 text-quiet">{description}</p> : null}
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
              </li>
            ))}
          </ul>
        </div>
      )}
    </Disclosure>
  );
}
