import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandId } from '../../../../renderer/commands/catalogue.ts';
import { createCommandRegistry } from '../../../../renderer/commands/command-registry.ts';
import { PATIENCE_MS, runAnywhere } from '../../../../renderer/commands/run-anywhere.ts';

function start() {
  const registry = createCommandRegistry(false);
  const ran: CommandId[] = [];
  const give = (id: CommandId, run = (): void => undefined) =>
    registry.register({
      id,
      isEnabled: true,
      run() {
        ran.push(id);
        run();
      },
    });
  return { registry, ran, give };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a command from a native menu', () => {
  it('runs at once where it can be given', () => {
    const { registry, ran, give } = start();
    give('go.uploads');
    give('uploads.add');
    runAnywhere(registry, 'uploads.add');
    expect(ran).toEqual(['uploads.add']);
  });

  it('leads to its screen, and runs once when that has come up', () => {
    const { registry, ran, give } = start();
    give('go.uploads', () => void setTimeout(() => give('uploads.add'), 100));
    runAnywhere(registry, 'uploads.add');
    vi.advanceTimersByTime(200);
    give('uploads.add');
    expect(ran).toEqual(['go.uploads', 'uploads.add']);
  });

  it('waits for a page that is still loading', () => {
    const { registry, ran, give } = start();
    runAnywhere(registry, 'uploads.add');
    give('app.refresh');
    give('go.uploads');
    give('uploads.add');
    expect(ran).toEqual(['go.uploads', 'uploads.add']);
  });

  it('is given up when it cannot be given within five seconds, or when another comes', () => {
    const { registry, ran, give } = start();
    give('go.uploads');
    runAnywhere(registry, 'uploads.retryAll');
    runAnywhere(registry, 'uploads.retry')();
    vi.advanceTimersByTime(PATIENCE_MS);
    give('uploads.retryAll');
    give('uploads.retry');
    expect(ran).toEqual(['go.uploads', 'go.uploads']);
  });
});
