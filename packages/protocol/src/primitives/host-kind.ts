/** Hosts of a runtime: a browser over CDP, our extension, a script in the page, this process. */
export const HOST_KINDS = ['cdp', 'extension', 'embed', 'direct'] as const;
export type HostKind = (typeof HOST_KINDS)[number];
