/** The build for the store asks for no debugger, and takes no map from elsewhere: no logic comes from outside. */
export const isStoreBuild = (): boolean =>
  chrome.runtime.getManifest().permissions?.includes('debugger') !== true;
