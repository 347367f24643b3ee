import { isObject, Manifest } from '@drawbridge/protocol/manifest';
import {
  asFields,
  type Fields,
  replaceField,
  short,
  type Upgrade,
  unusedName,
  withoutFields,
} from './change.ts';

/** `protocol` and `version`: drafts had the version as a string. */
export const upgradeVersion: Upgrade = (map, path, note) => {
  let next = map;
  if (map['protocol'] === undefined) {
    note([...path, 'protocol'], 'add "protocol": "actions.json"', 'every map says which format it is in');
    next = { protocol: 'actions.json', ...next };
  }
  const { version } = map;
  if (version === undefined) {
    note([...path, 'version'], 'add "version": 1', 'every map says which version of the format it is in');
    return { ...next, version: 1 };
  }
  if (typeof version !== 'string' || !DRAFT_OF_ONE.test(version)) return next;
  const kept = unusedName(next, 'version');
  note(
    [...path, 'version'],
    `${short(version)} becomes 1, and stays as ${kept}`,
    'the version of the format is the number 1; drafts of it wrote a text there',
  );
  return { ...replaceField(next, 'version', 'version', 1), [kept]: version };
};

/** `0.1.0-working`, `1`, `1.0`: anything else may be another format. */
const DRAFT_OF_ONE = /^(0\.\d|1(\.0)*$)/;

/** The first draft called the tools `actions`. */
export const upgradeActions: Upgrade = (map, path, note) => {
  if (map['tools'] !== undefined || !Array.isArray(map['actions'])) return map;
  note([...path, 'actions'], 'becomes tools', 'version 1 calls them tools');
  return replaceField(map, 'actions', 'tools', map['actions']);
};

/** Sections that drafts wrote as an object from name to part. */
export const upgradeSections: Upgrade = (map, path, note) => {
  let next = map;
  for (const [section, key] of Object.entries(NAMED_BY)) {
    const parts = next[section];
    if (!isObject(parts)) continue;
    note(
      [...path, section],
      `an object of ${Object.keys(parts).length} becomes a list, each with its key as "${key}"`,
      `${section} is a list in version 1`,
    );
    next = replaceField(
      next,
      section,
      section,
      Object.entries(parts).map(([name, part]) => listed(name, key, part)),
    );
  }
  if (next['tools'] !== undefined) return next;
  note([...path, 'tools'], 'add an empty list of tools', 'tools is required, and may be empty');
  return { ...next, tools: [] };
};

const NAMED_BY = {
  tools: 'name',
  states: 'name',
  transitions: 'name',
  signals: 'name',
  state_projections: 'name',
  context: 'id',
  attachments: 'id',
  checks: 'id',
  imports: 'id',
} as const;

function listed(name: string, key: string, part: unknown): Fields {
  if (isObject(part)) return { [key]: name, ...part };
  return typeof part === 'string' ? { [key]: name, description: part } : { [key]: name, x_value: part };
}

/** Turns a prompt, a text or an object of texts, into a context block without conditions. */
export const upgradePrompt: Upgrade = (map, path, note) => {
  const { prompt, context = [] } = map;
  const body = promptText(prompt);
  if (body === undefined || !Array.isArray(context)) return map;
  const taken = context.some((block) => isObject(block) && block['id'] === 'prompt');
  if (taken) return map;
  note(
    [...path, 'prompt'],
    'becomes the context block "prompt"',
    'guidance for agents belongs in context; without load_when it is loaded everywhere',
  );
  const { title } = asFields(prompt);
  const block = { id: 'prompt', title: typeof title === 'string' ? title : 'Prompt', body };
  const next = { ...withoutFields(map, ['prompt']), context: [block, ...context] };
  // An object may also have data, such as selectors.
  return isObject(prompt) ? { ...next, [unusedName(map, 'prompt')]: prompt } : next;
};

function promptText(prompt: unknown): string | undefined {
  if (typeof prompt === 'string') return prompt;
  const texts = Object.entries(asFields(prompt)).filter(
    ([key, value]) => key !== 'title' && typeof value === 'string' && value !== '',
  );
  return texts.length === 0 ? undefined : texts.map(([key, value]) => `${key}: ${value}`).join('\n\n');
}

/** Moves the time of observation into the provenance. */
export const upgradeObservation: Upgrade = (map, path, note) => {
  const { observed_at, provenance = {} } = map;
  if (observed_at === undefined || !isObject(provenance) || 'observed_at' in provenance) return map;
  note(
    [...path, 'observed_at'],
    'moves into provenance',
    'version 1 keeps what is known about the making of a map there',
  );
  return { ...withoutFields(map, ['observed_at']), provenance: { ...provenance, observed_at } };
};

/** Maps in use list the files beside them as attachments; an attachment of version 1 is a part of the page. */
export const upgradeFiles: Upgrade = (map, path, note) => {
  const { attachments } = map;
  const actions = asFields(map['x_actions']);
  const { files = [] } = actions;
  if (!Array.isArray(attachments) || !Array.isArray(files)) return map;
  const isFile = (entry: unknown) =>
    isObject(entry) && typeof entry['path'] === 'string' && !('target' in entry) && !('lifecycle' in entry);
  const moved = attachments.filter(isFile).map(asFields);
  if (moved.length === 0) return map;
  note(
    [...path, 'attachments'],
    `${moved.length} with a path move into x_actions.files`,
    'an attachment has a target on the page; a file beside the map is declared there',
  );
  const listed = moved.map((file) =>
    'kind' in file ? file : replaceField(file, 'type', 'kind', file['type']),
  );
  return {
    ...map,
    attachments: attachments.filter((entry) => !isFile(entry)),
    x_actions: { ...actions, files: [...files, ...listed] },
  };
};

const KNOWN = new Set(Object.keys(Manifest.properties));

/** Keeps fields that version 1 does not define, under a name with a prefix. */
export const keepUnknownFields: Upgrade = (map, path, note) => {
  let next = map;
  for (const key of Object.keys(map)) {
    if (KNOWN.has(key) || key.startsWith('x_') || key.startsWith('$')) continue;
    const kept = unusedName(next, key);
    note(
      [...path, key],
      `is kept as ${kept}`,
      'version 1 has no such field; names with x_ are never taken by the format',
    );
    next = replaceField(next, key, kept, next[key]);
  }
  return next;
};
