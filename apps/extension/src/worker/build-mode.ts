/** The store build has no debugger and accepts no remote maps. */
export const isStoreBuild = (): boolean =>
  chrome.runtime.getManifest().permissions?.includes('debugger') !== true;
