import type { Check, Import, Signal, Tool } from '@drawbridge/protocol/manifest';

/** What a part of a map means where it says nothing. */
export const trustOf = ({ trust }: Import): NonNullable<Import['trust']> => trust ?? 'unknown';

export const isEnabled = ({ enabled }: Import): boolean => enabled ?? true;

export const directionOf = ({ x_actions }: Tool) => x_actions?.direction ?? 'agent_to_html';

/** A tool whose direction is only from the page to the agent is not for agents to call. */
export const isCallable = (tool: Tool): boolean => directionOf(tool) !== 'html_to_agent';

export const scopeOf = ({ x_actions }: Tool) => x_actions?.scope ?? 'active_surface';

export const modeOf = ({ x_actions }: Tool): string => x_actions?.execution?.mode ?? 'steps_first';

export const ingestionOf = ({ ingestion }: Signal) => ingestion ?? 'disabled_by_default';

export const severityOf = ({ severity }: Check) => severity ?? 'major';
