import { isObject } from '@drawbridge/protocol/manifest';
import { readMapText } from '../source/map-text.ts';
import { printMap } from '../source/print.ts';
import { MAP_LIMITS } from '../validate/check-context.ts';
import { type ValidateOptions, type Validation, validate } from '../validate/validate.ts';
import { type Fields, type MapChange, notebook, type Upgrade } from './change.ts';
import { upgradeProjections } from './projections.ts';
import {
  keepUnknownFields,
  upgradeActions,
  upgradeFiles,
  upgradeObservation,
  upgradePrompt,
  upgradeSections,
  upgradeVersion,
} from './root.ts';
import { upgradeBoundPages, upgradeScope } from './scope.ts';
import { upgradeSurface } from './surface.ts';
import { upgradeTools } from './tools.ts';

export interface Migration {
  /** Every change, in order. */
  readonly changes: readonly MapChange[];
  /** The migrated text; the original text when nothing changed. */
  readonly text: string;
  /** Validation of the migrated text: the problems left for a person. */
  readonly validation: Validation;
}

const UPGRADES: readonly Upgrade[] = [
  upgradeVersion,
  upgradeActions,
  upgradeSections,
  upgradeFiles,
  upgradeTools,
  upgradeBoundPages,
  upgradeScope,
  upgradeSurface,
  upgradePrompt,
  upgradeObservation,
  upgradeProjections,
  keepUnknownFields,
];

/**
 * Migrates an older map to version 1. Changes only what is unambiguous, reports each change and its reason,
 * drops no data and leaves the rest to the author. A second migration changes nothing.
 */
export function migrate(text: string, options: ValidateOptions = {}): Migration {
  const { value, faults } = readMapText(text, options.limits?.maxChars ?? MAP_LIMITS.maxChars);
  // Printing would lose a duplicate key, and only the author knows which one counts.
  if (!isObject(value) || faults.length > 0)
    return { changes: [], text, validation: validate(text, options) };
  const { changes, note } = notebook();
  const map = UPGRADES.reduce<Fields>((next, upgrade) => upgrade(next, [], note), value);
  const migrated = changes.length === 0 ? text : printMap(map);
  return { changes, text: migrated, validation: validate(migrated, options) };
}
