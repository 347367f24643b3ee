import type {
  AuditRecord,
  DeviceRecord,
  EventRecord,
  FileRecord,
  LaunchRecord,
  MessageRecord,
  PromptRecord,
  SessionRecord,
  SettingRecord,
  TabSessionRecord,
  TaskRecord,
} from '../records.ts';

/** Rows by key, in insertion order; changes of a refused transaction are undone. */
export interface Table<Row> {
  readonly get: (key: string) => Row | undefined;
  readonly all: () => readonly Row[];
  readonly put: (key: string, row: Row) => void;
  readonly drop: (key: string) => void;
}

export interface SessionRow {
  readonly record: SessionRecord;
  readonly events: EventRecord[];
  /** Hash of the last pruned event. */
  readonly base_hash: string;
}

export interface MessageRow {
  readonly record: MessageRecord;
  readonly identity_hash: string;
}

export type Tables = ReturnType<typeof createTables>;

export function createTables() {
  const undo: (() => void)[] = [];
  return {
    sessions: createTable<SessionRow>(undo),
    messages: createTable<MessageRow>(undo),
    prompts: createTable<PromptRecord>(undo),
    launches: createTable<LaunchRecord>(undo),
    devices: createTable<DeviceRecord>(undo),
    files: createTable<FileRecord>(undo),
    audit: createTable<AuditRecord>(undo),
    settings: createTable<SettingRecord>(undo),
    tasks: createTable<TaskRecord>(undo),
    tabSessions: createTable<TabSessionRecord>(undo),
    undo,
  };
}

/** No id contains a NUL, so no two pairs make one key. */
export const pairKey = (session_id: string, id: string): string => `${session_id}\0${id}`;

function createTable<Row>(undo: (() => void)[]): Table<Row> {
  const rows = new Map<string, Row>();
  return {
    get: (key) => rows.get(key),
    all: () => [...rows.values()],
    put: (key, row) => {
      const before = rows.get(key);
      undo.push(before === undefined ? () => rows.delete(key) : () => rows.set(key, before));
      rows.set(key, row);
    },
    drop: (key) => {
      const before = [...rows];
      undo.push(() => {
        rows.clear();
        for (const [each, row] of before) rows.set(each, row);
      });
      rows.delete(key);
    },
  };
}
