import type { ContentsNeeds } from './web-contents.ts';
import type { PermissionName } from './session.ts';

/** Electron's names, and the names that Chromium's protocol has for the same. */
const names: readonly (readonly [PermissionName, readonly string[]])[] = [
  ['geolocation', ['geolocation']],
  ['notifications', ['notifications']],
  ['media', ['camera', 'microphone']],
  ['midi', ['midi']],
  ['clipboard-read', ['clipboard-read']],
  ['clipboard-sanitized-write', ['clipboard-write']],
  ['idle-detection', ['idle-detection']],
  ['storage-access', ['storage-access']],
  ['window-management', ['window-management']],
];

/**
 * Chromium without Electron calls no handler when a page requests a permission, so the handlers are called beforehand,
 * one permission after another, and their answers become Chromium's settings for the page's origin.
 */
export async function applyPermissions(
  needs: ContentsNeeds,
  contents: Electron.WebContents,
  appOrigin: string,
): Promise<void> {
  const { root, browserContextId } = await needs.chromium();
  const origin = needs.urls.toPage(appOrigin);
  await needs.session.refuseDevices(contents.mainFrame, appOrigin);
  for (const [permission, protocolNames] of names) {
    const isPermitted = await needs.session.isPermitted(contents, permission, appOrigin);
    const setting = isPermitted ? 'granted' : 'denied';
    for (const name of protocolNames)
      await root.send('Browser.setPermission', {
        permission: { name },
        setting,
        origin,
        ...(browserContextId !== undefined && { browserContextId }),
      });
  }
}
