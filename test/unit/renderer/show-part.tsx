import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { onTestFinished } from 'vitest';
import type { Bridge } from '../../../renderer/bridge/bridge.ts';
import { createLocaleOf } from '../../../renderer/format/format.ts';
import { createCommandRegistry } from '../../../renderer/commands/command-registry.ts';
import { createI18n } from '../../../renderer/i18n/create-i18n.ts';
import { createArrivalsStore } from '../../../renderer/stores/arrivals.ts';
import { createNoticeStore } from '../../../renderer/stores/notices.ts';
import { createDraftStore, createOutbox } from '../../../renderer/stores/outbox.ts';
import { createPreferencesStore } from '../../../renderer/stores/preferences.ts';
import { createProgressStore } from '../../../renderer/stores/progress.ts';
import { createFreezeStore, ServicesContext, type Services } from '../../../renderer/stores/services.ts';
import { createCaller } from '../../../shared/ipc/caller.ts';
import {
  callSchemas,
  type CallArguments,
  type CallName,
  type CallOutput,
} from '../../../shared/ipc/contract.ts';
import type { Failure } from '../../../shared/domain/failure.ts';

type Answer<Name extends CallName> = CallOutput<Name> | { readonly failure: Failure };

// The default of one second is too short on a busy machine
configure({ asyncUtilTimeout: 30_000 });

/** The agent's answers. A call without an answer here fails its test. */
export type Answers = {
  readonly [Name in CallName]?: (input: CallArguments<Name>) => Answer<Name> | Promise<Answer<Name>>;
};

/**
 * Renders a part of the pages over a bridge that answers from `answers`, with everything else as in `main.tsx`. Input
 * and output of each call are checked against the contract, as the agent does. Removed at the end of the test.
 */
export async function showPart(part: ReactNode, answers: Answers = {}) {
  const asked: { readonly call: string; readonly input: unknown }[] = [];
  const bridge = bridgeThat((call, input) => {
    asked.push({ call, input });
    return answer(answers, call, input);
  });
  const services = servicesOver(bridge);
  const words = await createI18n('en', services.localeOf);
  services.outbox.hold();
  onTestFinished(() => {
    cleanup();
    services.outbox.stop();
    services.queries.clear();
    localStorage.clear();
    sessionStorage.clear();
  });
  render(
    <ServicesContext value={services}>
      <I18nextProvider i18n={words}>
        <QueryClientProvider client={services.queries}>{part}</QueryClientProvider>
      </I18nextProvider>
    </ServicesContext>,
  );
  return {
    user: userEvent.setup({ delay: null }),
    services,
    /** The inputs of this call so far, in order. */
    asked: (call: CallName) => asked.filter((each) => each.call === call).map(({ input }) => input),
  };
}

async function answer(answers: Answers, call: string, input: unknown): Promise<unknown> {
  if (!Object.hasOwn(callSchemas, call)) throw new Error(`${call} is no call`);
  const name = call as CallName;
  const respond = answers[name] as ((input: unknown) => unknown) | undefined;
  if (respond === undefined) throw new Error(`No answer was given for ${call}`);
  const value = await respond(callSchemas[name].input.parse(input));
  const { failure } = Object(value) as { readonly failure?: Failure };
  return failure === undefined
    ? { ok: true, value: callSchemas[name].output.parse(value) }
    : { ok: false, error: failure };
}

const unheard = (): (() => void) => () => undefined;

function bridgeThat(respond: (call: string, input: unknown) => Promise<unknown>): Bridge {
  return {
    caller: createCaller(async ({ call, input }) =>
      structuredClone(await respond(call, structuredClone(input))),
    ),
    onSignal: unheard,
    link: () => ({ kind: 'open' }),
    onLink: unheard,
    question: () => undefined,
    onQuestion: unheard,
    desktop: undefined,
    stop: () => undefined,
  };
}

function servicesOver(bridge: Bridge): Services {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  return {
    bridge,
    clock,
    queries: new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } }),
    preferences: createPreferencesStore(localStorage),
    progress: createProgressStore(),
    notices: createNoticeStore(clock, sessionStorage),
    freeze: createFreezeStore(),
    draft: createDraftStore(localStorage),
    outbox: createOutbox({
      storage: localStorage,
      now: clock.now,
      makeId: () => crypto.randomUUID(),
      post: (message) => bridge.caller.call('messages.post', { message }),
    }),
    arrivals: createArrivalsStore(),
    commands: createCommandRegistry(false),
    localeOf: createLocaleOf(['en-GB']),
    isMac: false,
  };
}
