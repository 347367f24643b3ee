import { isObject } from '@drawbridge/protocol/manifest';
import { readMapText } from '../source/map-text.ts';
import { printMap } from '../source/print.ts';
import { MAP_LIMITS } from '../validate/check-context.ts';
import { type ValidateOptions, type Validation, validate } from '../validate/validate.ts';
import { type Fields, type MapChange, notebook, type Upgrade } from './change.ts';
import { upgradeProjections } from './projections.ts';
import {
  keepUnknownFields,
  upgradeObservation,
  upgradePrompt,
  upgradeSections,
  upgradeVersion,
} from './root.ts';
import { upgradeSurface } from './surface.ts';
import { upgradeTools } from './tools.ts';

export interface Migration {
  /** Everything that was done, in order. Empty when there was nothing to do. */
  readonly changes: readonly MapChange[];
  /** The new text: the old one, to the letter, when nothing changed. */
  readonly text: string;
  /** Of the new text: what remains for a person to decide. */
  readonly validation: Validation;
}

const UPGRADES: readonly Upgrade[] = [
  upgradeVersion,
  upgradeSections,
  upgradeSurface,
  upgradePrompt,
  upgradeObservation,
  upgradeTools,
  upgradeProjections,
  keepUnknownFields,
];

/**
 * Brings a map of an older form to version 1. Changes only what has one meaning, says what it did and why,
 * throws no data away, and leaves the rest to its author. Migrating twice changes nothing more.
 */
export function migrate(text: string, options: ValidateOptions = {}): Migration {
  const { value, faults } = readMapText(text, options.limits?.maxChars ?? MAP_LIMITS.maxChars);
  // A key that stands twice would be lost in printing: which one counts is for its author to say.
  if (!isObject(value) || faults.length > 0)
    return { changes: [], text, validation: validate(text, options) };
  const { changes, note } = notebook();
  const map = UPGRADES.reduce<Fields>((next, upgrade) => upgrade(next, [], note), value);
  const migrated = changes.length === 0 ? text : printMap(map);
  return { changes, text: migrated, validation: validate(migrated, options) };
}
