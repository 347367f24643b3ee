import { DRIFT_STATUSES, type DriftPart, type DriftReport, type DriftStatus } from './drift.ts';

/** Parts that get a line in the report; unsure ones only when a repair is known. */
const isReported = ({ status, repairs }: DriftPart): boolean =>
  status !== 'ok' && status !== 'elsewhere' && (status !== 'unsure' || repairs.length > 0);

const WORDS: Readonly<Record<DriftStatus, string>> = {
  missing: 'missing',
  failed: 'failed',
  ambiguous: 'ambiguous',
  fallback: 'by fallback',
  unsure: 'perhaps missing',
  elsewhere: 'on other pages',
  ok: 'ok',
};

/** The report for a terminal, most severe parts first. */
export function driftText({ url, ok, counts, parts }: DriftReport): string {
  const told = DRIFT_STATUSES.flatMap((status) =>
    parts.filter((part) => part.status === status && isReported(part)),
  );
  const sum = DRIFT_STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${counts[status]} ${WORDS[status]}`,
  );
  return [
    `${shown(url)}: ${ok ? 'the map fits' : 'the map does not fit'}`,
    `  ${sum.length > 0 ? sum.join(', ') : 'nothing to look for'}`,
    ...told.flatMap(partLines),
  ].join('\n');
}

function partLines({ status, part, pointer, why, selector, repairs }: DriftPart): string[] {
  return [
    '',
    `${WORDS[status]}  ${shown(part)}`,
    `  ${shown(why)}`,
    `  ${shown(pointer)}${selector === undefined ? '' : `: ${shown(selector)}`}`,
    ...repairs.flatMap(({ selector: instead, role, name, confidence, because }) => [
      `  perhaps ${shown(instead)}`,
      `    ${shown(role)} “${shown(name)}”, ${Math.round(confidence * 100)} %: ${shown(because)}`,
    ]),
  ];
}

/** Names come from the page: shown without control characters and line breaks. */
const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
