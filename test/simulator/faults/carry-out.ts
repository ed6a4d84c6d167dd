import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendAnswer, withCommonHeaders } from '../http/send-answer.ts';
import { drainBody } from '../http/read-body.ts';
import type { SimulatorClock } from '../simulator-clock.ts';
import { alterAnswer, orderedAnswer } from './alter-answer.ts';
import type { ActiveFaultBook } from './fault-book.ts';
import type { FaultAction } from './fault-rule.ts';
import { answerEarly, sendFlood, sendPartOfAnswer, sendRaw, sendSlowly } from './wire-faults.ts';

/** How a fault changes the receiving of a body; only storage reads these. */
export interface BodyConditions {
  readonly isUrlExpired?: boolean;
  readonly bytesPerSecond?: number;
  readonly resetAfterBytes?: number;
}

/** Does the work of a request; undefined when the client has left and nothing can be answered. */
export type Effect = (conditions: BodyConditions) => Promise<Answer | undefined>;

export interface FaultContext {
  readonly faults: ActiveFaultBook;
  readonly clock: SimulatorClock;
}

/** Runs one request through the active rules: faults before the effect, the effect, faults after it. */
export async function carryOut(exchange: Exchange, effect: Effect, context: FaultContext): Promise<void> {
  const actions = context.faults.take(exchange.entry);
  const { holds } = context.faults;
  await holds.pass(exchange.entry, 'before', exchange.signal);
  for (const action of actions) {
    if (await actBefore(exchange, action, context)) return;
  }
  const action = actions.at(-1);
  const answer = await effect(bodyConditions(action));
  if (!answer) return;
  await holds.pass(exchange.entry, 'after', exchange.signal);
  await deliver(exchange, withCommonHeaders(alterAnswer(answer, action), exchange, context.clock), action);
}

function bodyConditions(action: FaultAction | undefined): BodyConditions {
  switch (action?.kind) {
    case 'expire-url':
      return { isUrlExpired: true };
    case 'trickle':
      return { bytesPerSecond: action.bytesPerSecond };
    case 'reset-after-bytes':
      return { resetAfterBytes: action.bytes };
    default:
      return {};
  }
}

/** Returns true when the request has been dealt with and must have no effect. */
async function actBefore(exchange: Exchange, action: FaultAction, { clock }: FaultContext): Promise<boolean> {
  switch (action.kind) {
    case 'delay':
      await sleep(action.ms, undefined, { signal: exchange.signal, ref: false }).catch(() => undefined);
      return exchange.signal.aborted;
    case 'answer':
      if (action.when === 'after') return false;
      await drainBody(exchange);
      sendAnswer(exchange, withCommonHeaders(orderedAnswer(action), exchange, clock));
      return true;
    case 'drop':
      if (action.when === 'after') return false;
      exchange.request.socket.destroy();
      return true;
    case 'hang':
      return true;
    case 'early-answer':
      answerEarly(exchange, withCommonHeaders(orderedAnswer(action), exchange, clock));
      return true;
    case 'raw':
      await drainBody(exchange);
      sendRaw(exchange, Buffer.from(action.bytes, action.base64 ? 'base64' : 'latin1'));
      return true;
    case 'flood':
      await drainBody(exchange);
      sendFlood(exchange, action.bytes);
      return true;
    default:
      return false;
  }
}

async function deliver(exchange: Exchange, answer: Answer, action: FaultAction | undefined): Promise<void> {
  if (action?.kind === 'drop') exchange.request.socket.destroy();
  else if (action?.kind === 'reset-in-answer') sendPartOfAnswer(exchange, answer, action.bytes);
  else if (action?.kind === 'trickle' && exchange.entry.listener === 'service') {
    await sendSlowly(exchange, answer, action.bytesPerSecond);
  } else sendAnswer(exchange, answer);
}
