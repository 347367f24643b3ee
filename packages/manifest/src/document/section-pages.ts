import { isObject, type Manifest } from '@drawbridge/protocol/manifest';
import { ingestionOf, isEnabled, severityOf, trustOf } from '../validate/defaults.ts';
import { blocks, code, list, table, words } from './markdown.ts';
import { targetWords, urlWords } from './target-words.ts';

const section = (title: string, ...parts: readonly string[]): string =>
  parts.every((part) => part === '') ? '' : blocks([`## ${title}`, ...parts]);

const text = (value: unknown): string =>
  typeof value === 'string' ? words(value) : value === undefined ? '' : code(JSON.stringify(value));

export const statesSection = ({ states = [], transitions = [] }: Manifest): string =>
  section(
    'States and movement',
    table(
      ['state', 'meaning', 'how it is seen'],
      states.map(({ name, description, diagnostics = [] }) => [
        code(name),
        text(description),
        diagnostics.length === 0
          ? 'it is never seen: no diagnostics'
          : diagnostics.map(({ target }) => targetWords(target)).join('; and '),
      ]),
    ),
    table(
      ['transition', 'from', 'to', 'by', 'rules'],
      transitions.map((transition) => [
        code(transition.name),
        transition.from === undefined ? 'any' : code(transition.from),
        transition.to === undefined ? '' : code(transition.to),
        transition.tool === undefined ? text(transition.method) : code(transition.tool),
        transitionRules(transition),
      ]),
    ),
  );

function transitionRules({
  rate_limit_ms,
  convergence,
  preconditions,
  do_not_use,
}: NonNullable<Manifest['transitions']>[number]): string {
  const parts = [
    rate_limit_ms === undefined ? '' : `at most every ${rate_limit_ms} ms`,
    convergence?.max_attempts === undefined ? '' : `at most ${convergence.max_attempts} times`,
    convergence?.complete_when === undefined ? '' : `done when ${words(convergence.complete_when)}`,
    preconditions === undefined ? '' : `needs ${text(preconditions)}`,
    do_not_use === undefined ? '' : `never ${text(do_not_use)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

export const checksSection = ({ checks = [] }: Manifest): string =>
  section(
    'Checks',
    table(
      ['check', 'severity', 'what must hold', 'otherwise'],
      checks.map((check) => [
        `${code(check.id)} ${text(check.description)}`,
        severityOf(check) === 'critical' ? '**critical**: stops every tool' : severityOf(check),
        (check.assertions ?? []).map(assertionWords).join('; and '),
        text(check.on_fail?.contingency),
      ]),
    ),
  );

function assertionWords({
  target,
  tool,
  state,
  attachment,
  visible,
}: Readonly<Record<string, unknown>>): string {
  const parts = [
    typeof target === 'string' || isObject(target) ? targetWords(target) : '',
    typeof tool === 'string' ? `the tool ${code(tool)}` : '',
    typeof state === 'string' ? `the state ${code(state)}` : '',
    typeof attachment === 'string' ? `the attachment ${code(attachment)}` : '',
    visible === undefined ? '' : visible === true ? 'is visible' : 'is not visible',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export const projectionsSection = ({ state_projections = [] }: Manifest): string =>
  section(
    'What an agent can read',
    table(
      ['projection', 'meaning', 'reads', 'summaries'],
      state_projections.map(({ name, description, snapshot, summaries = [] }) => [
        code(name),
        text(description),
        snapshot.extract.map(({ selector }) => code(String(selector))).join(', '),
        summaries.map((summary) => code(summary.name)).join(', '),
      ]),
    ),
  );

export const signalsSection = ({ signals = [] }: Manifest): string =>
  section(
    'What the page may tell an agent',
    table(
      ['signal', 'meaning', 'event', 'forwarded'],
      signals.map((signal) => [
        code(signal.name),
        text(signal.description),
        signal.event === undefined ? '' : code(signal.event),
        ingestionOf(signal) === 'enabled' ? '**at once**' : 'only after a person turns it on',
      ]),
    ),
  );

export const attachmentsSection = ({ attachments = [] }: Manifest): string =>
  section(
    'What is added to the page',
    table(
      ['attachment', 'where', 'opens'],
      attachments.map(({ id, kind, target, affordance }) => [
        `${code(id)} (${words(kind)})`,
        targetWords(target),
        affordance?.opens === undefined ? '' : code(affordance.opens.tool),
      ]),
    ),
  );

export const importsSection = ({ imports = [] }: Manifest): string =>
  section(
    'Taken from elsewhere',
    table(
      ['import', 'from', 'trust', 'names begin with'],
      imports.map((source) => [
        `${code(source.id)}${isEnabled(source) ? '' : ' (off)'}`,
        code(source.uri),
        trustOf(source),
        code(`${source.namespace ?? source.id}.`),
      ]),
    ),
  );

export const contextSection = ({ context = [] }: Manifest): string =>
  section(
    'What an agent is told',
    ...context.map(({ id, title, body, load_when = {} }) => {
      const { url_contains, url_matches } = load_when;
      const places = urlWords({
        ...(typeof url_contains === 'string' ? { url_contains } : {}),
        ...(typeof url_matches === 'string' ? { url_matches } : {}),
      }).filter((locationText) => locationText !== '');
      const when = places.length === 0 ? '' : `, ${places.join(', ')}`;
      return `**${words(title ?? id)}**${when}: ${text(body)}`;
    }),
  );

export const provenanceSection = ({ provenance = {} }: Manifest): string =>
  section(
    'Where this map comes from',
    list(Object.entries(provenance).map(([key, value]) => `${words(key)}: ${text(value)}`)),
  );
