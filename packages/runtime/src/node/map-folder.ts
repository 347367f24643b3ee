import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  asManifest,
  checkSpeaksFor,
  compose,
  type LoadImport,
  localAddress,
  offerMap,
  type Trust,
} from '@drawbridge/manifest';
import { createMapLoader, openStorage, type StorageOptions } from '@drawbridge/manifest/node';
import { fitsPage, type MapChoice, type MapSource, NO_MAP_HERE } from '../maps/map-source.ts';

export interface MapFolderOptions {
  /** Map files named by a person; they precede stored maps. */
  readonly files?: readonly string[];
  /** The folder with `scopes/{private,shared,public}/sites/…`. */
  readonly storage?: StorageOptions;
}

interface Candidate {
  /** For people to read. */
  readonly address: string;
  /** Base of its imports: a file's are found beside it. */
  readonly from: string;
  readonly trust: Trust;
  readonly read: () => Promise<string>;
  readonly load: LoadImport;
}

/** An editor writes a file in several steps: read once after the last. */
const SETTLE_MS = 50;

/**
 * Decides which map applies: a named file whose `surface.origin` is the page's, then storage by the page's
 * host, private before shared before public. Watches the files, so edits apply without a restart.
 */
export function openMapFolder({ files = [], storage }: MapFolderOptions): MapSource {
  const listeners = new Set<() => void>();
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const listener of listeners) listener();
    }, SETTLE_MS);
  };
  for (const file of files) watchFolder(dirname(file), basename(file));
  if (storage !== undefined) watchFolder(storage.root);

  function watchFolder(folder: string, name?: string): void {
    try {
      const watcher = watch(folder, { recursive: name === undefined, persistent: false }, (_, touched) => {
        if (name === undefined || touched === null || touched === name) changed();
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // A storage folder that does not exist yet has no maps to watch.
    }
  }

  return {
    async mapFor(url) {
      const candidates = [...files.map(fromFile), ...(await stored(url, storage))];
      const fitting: { candidate: Candidate; choice: MapChoice }[] = [];
      for (const candidate of candidates) {
        const choice = await choiceOf(candidate);
        if (fitsPage(choice, url)) fitting.push({ candidate, choice });
      }
      const [first] = fitting;
      if (first === undefined) return NO_MAP_HERE;
      return { ...first.choice, candidates: fitting.map(({ candidate }) => candidate.address) };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

const fromFile = (file: string): Candidate => ({
  address: localAddress(file),
  from: localAddress(basename(file)),
  trust: 'local',
  read: () => readFile(file, 'utf8'),
  load: createMapLoader({ local: { root: dirname(file) } }),
});

async function stored(url: string, options: StorageOptions | undefined): Promise<Candidate[]> {
  if (options === undefined || !URL.canParse(url)) return [];
  const storage = openStorage(options);
  const maps = await storage.mapsFor(new URL(url).hostname);
  return maps.map((map) => ({
    address: map.address,
    from: map.address,
    trust: map.scope.kind,
    read: () => storage.read(map),
    load: createMapLoader({ storage: options }),
  }));
}

async function choiceOf({ address, from, trust, read, load }: Candidate): Promise<MapChoice> {
  const base = { trust, address, candidates: [address] };
  const offer = offerMap(await read().catch((error: Error) => `cannot be read: ${error.message}`));
  if (!offer.ready) return { ...base, offer, problems: [] };
  const composed = await compose(offer.map, { load, address: from, trust });
  const problems = composed.problems.map(({ message }) => message);
  if (!composed.ok) return { ...base, offer: { ready: false, errors: [] }, problems };
  return {
    ...base,
    offer: { ...offer, map: asManifest(composed) },
    problems,
    speaksFor: checkSpeaksFor(composed),
    trustOfTool: (tool) => composed.origins.tools.get(tool)?.trust ?? 'unknown',
  };
}
