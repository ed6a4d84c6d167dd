import { expect, it } from 'vitest';
import { eventText } from '../../../electron/cli/agent-session.ts';
import type { AgentEvent } from '../../../electron/agent/events.ts';

it.each<[AgentEvent, string]>([
  [
    {
      event: 'file.held',
      folder: '/e/g',
      file: 'x.mp4',
      code: 'FILE_INCOMPLETE',
      message: 'Held.',
      advice: 'Export it again.',
    },
    '○ Held back FILE_INCOMPLETE: x.mp4: Held. Export it again.',
  ],
  [
    { event: 'root.offline', root: '/e', code: 'ROOT_OFFLINE', message: 'Away.', advice: 'Connect it.' },
    '! Offline   /e: ROOT_OFFLINE: Away. Connect it.',
  ],
])('the line of $event says what to do', (event, text) => {
  expect(eventText(event)).toBe(text);
});
