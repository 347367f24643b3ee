import { ask, parseAnswer } from './request.ts';

export interface OfferedAgent {
  readonly agent_type: string;
  readonly display_name: string;
  readonly version?: string;
  readonly sign_in: 'done' | 'needed' | 'unknown';
  /** Command that signs a person in. */
  readonly hint?: string;
}

export interface OfferedFolder {
  readonly path: string;
  readonly branch?: string;
}

export interface Machine {
  readonly machine_label: string;
  /** Absent if the machine's proxy does not list its agents. */
  readonly offer?: {
    readonly agents: readonly OfferedAgent[];
    readonly workspaces: readonly OfferedFolder[];
  };
}

export const machineApi = {
  list: async (): Promise<readonly Machine[]> =>
    (await parseAnswer<{ readonly machines: readonly Machine[] }>(ask('/api/machines'))).machines,
};
