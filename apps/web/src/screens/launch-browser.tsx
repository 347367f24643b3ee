import { CheckField, ownCommand, useWords } from '@drawbridge/ui';
import { useId } from 'react';
import type { Tab } from '../client/tab-api.ts';
import { CommandLine } from './command-line.tsx';

/** The person's choice for the launched agent. */
export interface BrowserChoice {
  readonly isOn: boolean;
  /** Every lent tab without. */
  readonly origins?: readonly string[];
}

/** On where a tab is lent. */
export const usualChoice = (tabs: readonly Tab[]): BrowserChoice => ({ isOn: tabs.length > 0 });

interface LaunchBrowserProps {
  readonly tabs: readonly Tab[];
  readonly choice: BrowserChoice;
  readonly onChoose: (choice: BrowserChoice) => void;
  /** Without the switch, where the browser is lent in any case. */
  readonly isLent?: boolean;
}

/** Origins of the lent tabs with the titles there. A page without an origin can't be chosen. */
function sitesOf(tabs: readonly Tab[]): ReadonlyMap<string, readonly string[]> {
  const sites = new Map<string, readonly string[]>();
  for (const { url, title } of tabs) {
    const { origin } = URL.parse(url) ?? {};
    if (origin?.startsWith('http'))
      sites.set(origin, [...(sites.get(origin) ?? []), ...(title ? [title] : [])]);
  }
  return sites;
}

/** The switch "May use the browser", and which of the lent tabs. */
export function LaunchBrowser({ tabs, choice, onChoose, isLent = false }: LaunchBrowserProps) {
  const words = useWords();
  const id = useId();
  const sites = sitesOf(tabs);
  const { isOn, origins } = choice;
  return (
    <fieldset className="min-w-0 rounded-card border border-line px-3 py-1">
      <legend className="sr-only">{words.browser.title}</legend>
      {isLent ? null : (
        <CheckField
          label={words.launch.browser}
          checked={isOn}
          onCheck={(isChecked) => onChoose({ isOn: isChecked })}
        />
      )}
      {tabs.length === 0 ? (
        <div className="flex flex-col gap-2 pb-2 text-meta text-quiet">
          <p>{words.launch.noTab}</p>
          <CommandLine command={`${ownCommand()} browser`} />
        </div>
      ) : isOn ? (
        <div className={isLent ? 'pb-1' : 'ms-6 pb-1'}>
          {[false, true].map((isSome) => (
            <label key={String(isSome)} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
              <input
                type="radio"
                name={id}
                checked={isSome === (origins !== undefined)}
                onChange={() => onChoose({ isOn, ...(isSome && { origins: [...sites.keys()] }) })}
                className="size-4 shrink-0 accent-accent"
              />
              {isSome ? words.launch.someSites : words.launch.everyTab}
            </label>
          ))}
          {origins === undefined ? null : (
            <div className="ms-6">
              {[...sites].map(([origin, titles]) => (
                <CheckField
                  key={origin}
                  label={[URL.parse(origin)?.host ?? origin, ...titles.slice(0, 1)].join(' · ')}
                  checked={origins.includes(origin)}
                  onCheck={(isChecked) =>
                    onChoose({
                      isOn,
                      origins: [...sites.keys()].filter((each) =>
                        each === origin ? isChecked : origins.includes(each),
                      ),
                    })
                  }
                />
              ))}
              {origins.length === 0 ? (
                <p className="pb-1 text-meta text-fail">{words.launch.noSite}</p>
              ) : null}
            </div>
          )}
        </div>
      ) : null}
    </fieldset>
  );
}
