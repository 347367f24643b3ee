export const testbed = 1;
