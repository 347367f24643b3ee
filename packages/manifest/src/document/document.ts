import type { Manifest } from '@drawbridge/protocol/manifest';
import { ingestionOf, isCallable, isEnabled, severityOf } from '../validate/defaults.ts';
import { blocks, code, counted, list, table, words } from './markdown.ts';
import {
  attachmentsSection,
  checksSection,
  contextSection,
  importsSection,
  projectionsSection,
  provenanceSection,
  signalsSection,
  statesSection,
} from './section-pages.ts';
import { targetWords } from './target-words.ts';
import { effectOf, toolSection } from './tool-page.ts';

/** Renders a page for reviewers: everything that a map lets an agent do. */
export function document(map: Manifest): string {
  const { surface = {}, tools } = map;
  const title = surface.name ?? surface.origin ?? 'A map';
  return `${blocks([
    `# ${words(title)}: what an agent may do`,
    surface.description === undefined ? '' : words(surface.description),
    surface.origin === undefined ? '' : `Site: ${code(surface.origin)}`,
    '## Before you agree',
    list(reviewPoints(map)),
    '## Tools',
    table(
      ['tool', 'what it does', 'effect', 'where'],
      tools
        .filter(isCallable)
        .map((tool) => [code(tool.name), words(tool.description), effectOf(tool), targetWords(tool.target)]),
    ),
    ...tools.map((tool) => toolSection(tool, map)),
    projectionsSection(map),
    statesSection(map),
    signalsSection(map),
    attachmentsSection(map),
    checksSection(map),
    contextSection(map),
    importsSection(map),
    provenanceSection(map),
  ])}\n`;
}

/** Facts that a reviewer should check first. */
function reviewPoints(map: Manifest): string[] {
  const callable = map.tools.filter(isCallable);
  const irreversible = callable
    .filter((tool) => effectOf(tool) === 'irreversible')
    .map(({ name }) => code(name));
  const unstated = callable.filter((tool) => effectOf(tool) === 'not stated').map(({ name }) => code(name));
  const heard = (map.signals ?? [])
    .filter((signal) => ingestionOf(signal) === 'enabled')
    .map(({ name }) => code(name));
  const imported = (map.imports ?? []).filter(isEnabled).map(({ id }) => code(id));
  const critical = (map.checks ?? []).filter((check) => severityOf(check) === 'critical');
  return [
    `An agent may call ${counted(callable.length, 'tool')}.`,
    irreversible.length === 0
      ? 'No tool says that it cannot be undone.'
      : `**Cannot be undone:** ${irreversible.join(', ')}. A person is asked each time.`,
    ...(unstated.length === 0
      ? []
      : [`The effect is not stated, and guessed by wording, for ${unstated.join(', ')}.`]),
    ...(heard.length === 0 ? [] : [`The page may speak to the agent through ${heard.join(', ')}.`]),
    ...(imported.length === 0 ? [] : [`Tools of other maps come in through ${imported.join(', ')}.`]),
    critical.length === 0
      ? 'No check stops everything when the site changes.'
      : `${counted(critical.length, 'check')} will stop every tool when the site is not what it was.`,
  ];
}
