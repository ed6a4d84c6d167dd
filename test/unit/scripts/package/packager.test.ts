import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { setFuses, withoutUpdateFile } from '../../../../scripts/package/builder-hooks.ts';

/** Requires the builder's own code, to see what it would do with our configuration. */
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const builder = (part: string): unknown => require(`app-builder-lib/out/${part}`);
const { getConfig } = builder('util/config/config') as {
  getConfig(folder: string, file: null, more: object): Promise<Record<string, never>>;
};

describe('what the builder makes of electron-builder.yml', () => {
  test('the menu entry of the AppImage has no switch that the program refuses', async () => {
    const { default: AppImageTarget } = builder('targets/appimage/AppImageTarget') as {
      default: new (...args: readonly unknown[]) => { desktopEntry: { value: Promise<string> } };
    };
    const config = await getConfig(process.cwd(), null, {});
    const packager = {
      config,
      platformSpecificBuildOptions: config['linux'],
      appInfo: { buildVersion: '1' },
    };
    const helper = { computeDesktopEntry: (_options: unknown, exec: string) => exec };
    const entry = await new AppImageTarget('', packager, helper, '').desktopEntry.value;
    expect(entry).toBe('AppRun %U');
    // Without this setting, the image mounts with libfuse2, which current systems lack
    expect(config).toMatchObject({ toolsets: { appimage: '1.0.3' } });
  });

  test('a copy from the MSI has nothing by which it would update itself', () => {
    const component = (name: string): string =>
      `<Component Directory="d1">\n  <File Name="${name}" Source="$(var.appDir)\\resources\\${name}" ReadOnly="yes" KeyPath="yes"/>\n</Component>`;
    const project = ['app.asar', 'app-update.yml', 'licences.txt'].map(component).join('\n');
    const without = withoutUpdateFile(project);
    expect(without).not.toContain('app-update.yml');
    expect(without.match(/<Component/g)).toHaveLength(2);
    expect(without.match(/<\/Component>/g)).toHaveLength(2);
    expect(() => withoutUpdateFile('<File Id="x" Name="app-update.yml"/>')).toThrow('app-update.yml');
  });

  test('a program for macOS is signed again after its bytes were changed, and no other', async () => {
    const asked: unknown[] = [];
    const flip = async (
      _path: string,
      { resetAdHocDarwinSignature }: { resetAdHocDarwinSignature?: boolean },
    ) => asked.push(resetAdHocDarwinSignature);
    await setFuses('/x/VMS Export Agent.app', true, flip);
    await setFuses('/x/app.exe', false, flip);
    expect(asked).toEqual([true, false]);
  });
});
