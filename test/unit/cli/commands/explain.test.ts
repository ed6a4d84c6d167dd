import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainForDesk } from '../../../../electron/agent/index.ts';
import { runCli } from '../../../../electron/cli/run-cli.ts';
import { createFakeAgent, createFakeDeps } from '../fake-deps.ts';

const nx = 'Gate 4_2026_05_01_19_30_05.mkv';

/** Runs the command on a real folder without a queue: nothing was ever sent from this desk. */
async function explained(...options: readonly string[]) {
  const { deps, folder, written } = await createFakeDeps(createFakeAgent().agent, {
    watch: [{ path: 'exports', timeZone: 'Europe/London' }],
  });
  await mkdir(join(folder, 'exports', 'Fight'), { recursive: true });
  await writeFile(join(folder, 'exports', 'Fight', nx), 'content');
  const exit = await runCli(['explain', 'exports/Fight', ...options], { ...deps, explainForDesk });
  return { exit, ...written };
}

describe('explain', () => {
  it('shows each file, each value with what lost, and how to change it', async () => {
    const { exit, stdout } = await explained();
    expect(exit).toBe(0);
    expect(stdout).toContain('Not in the queue.');
    expect(stdout).toMatch(/clip +Gate 4_2026_05_01_19_30_05.mkv +a video, judging by its name/);
    expect(stdout).toContain('startedAt: 2026-05-01T18:30:05.000Z  (2026-05-01 19:30:05 Europe/London');
    expect(stdout).toContain('the time a file was written does not show when it was recorded');
    expect(stdout).toContain('how the name was read: Nx Witness');
    expect(stdout).toContain('To change cameraName');
  });

  it('prints one object with --json', async () => {
    const { exit, stdout } = await explained('--json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { clip: 1 }, clips: [{ file: nx }], isCut: false });
  });

  it('refuses settings under which nothing can be watched', async () => {
    const { deps, folder, written } = await createFakeDeps(createFakeAgent().agent, {
      watch: [{ path: '.' }],
    });
    await mkdir(join(folder, 'Fight'));
    expect(await runCli(['explain', 'Fight'], { ...deps, explainForDesk })).not.toBe(0);
    expect(written.stderr).toContain('ROOT_FORBIDDEN');
  });

  it('refuses what is no folder', async () => {
    const { deps, written } = await createFakeDeps(createFakeAgent().agent);
    expect(await runCli(['explain', 'nowhere'], deps)).toBe(2);
    expect(written.stderr).toContain('ROOT_NOT_FOLDER');
  });

  it.each([[[]], [['a', 'b']]])('refuses %j', async (operands) => {
    const { deps } = await createFakeDeps(createFakeAgent().agent);
    expect(await runCli(['explain', ...operands], deps)).toBe(2);
  });
});
