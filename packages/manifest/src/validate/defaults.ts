import type { Check, Import, Signal, Tool } from '@drawbridge/protocol/manifest';

/** Default values of absent fields. */
export const trustOf = ({ trust }: Import): NonNullable<Import['trust']> => trust ?? 'unknown';

export const isEnabled = ({ enabled }: Import): boolean => enabled ?? true;

export const directionOf = ({ x_actions }: Tool) => x_actions?.direction ?? 'agent_to_html';

/** Agents cannot call a tool that only reports from the page. */
export const isCallable = (tool: Tool): boolean => directionOf(tool) !== 'html_to_agent';

export const scopeOf = ({ x_actions }: Tool) => x_actions?.scope ?? 'active_surface';

export const modeOf = ({ x_actions }: Tool): string => x_actions?.execution?.mode ?? 'steps_first';

export const ingestionOf = ({ ingestion }: Signal) => ingestion ?? 'disabled_by_default';

export const severityOf = ({ severity }: Check) => severity ?? 'major';
